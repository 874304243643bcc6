"""What the user names, as translation units: folders, projects, collections, tarballs."""
