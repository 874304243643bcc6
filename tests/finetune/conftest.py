"""A small labelled collection: two problems, three programs each, and one that does not lower."""

import json

import pytest

PROGRAMS = [
    ("sum", 'int main(){int n,s=0;scanf("%d",&n);for(int i=0;i<n;i++)s+=i;printf("%d",s);}'),
    ("sum", "int main(){int k,t=0,j;cin>>k;for(j=0;j<k;j++){t=t+j;}cout<<t;return 0;}"),
    ("sum", "int add(int n){return n?n-1+add(n-1):0;}\nint main(){int n;cin>>n;cout<<add(n);}"),
    ("max", 'int main(){int a,b;scanf("%d%d",&a,&b);if(a>b)printf("%d",a);else printf("%d",b);}'),
    ("max", "int big(int x,int y){return x>y?x:y;}\nint main(){int a,b;cin>>a>>b;cout<<big(a,b);}"),
    ("max", "int main(){int p,q,m;cin>>p>>q;m=p;if(q>m)m=q;cout<<m<<endl;return 0;}"),
    ("max", "int main(){ this is no program }"),
]


@pytest.fixture(scope="session")
def collection_file(tmp_path_factory):
    """The collection as CodeXGLUE has it: an object with `label` and `code` a line."""
    path = tmp_path_factory.mktemp("collection") / "programs.jsonl"
    lines = [
        json.dumps({"label": label, "index": str(i), "file": f"{label}/{i}.cpp", "code": code})
        for i, (label, code) in enumerate(PROGRAMS)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def collection(collection_file, tmp_path_factory):
    """The collection with its corpus."""
    from finetune.data.programs import open_collection

    folder = tmp_path_factory.mktemp("collection-corpus") / "corpus"
    return open_collection(collection_file, folder, views=["O0", "O2"])
