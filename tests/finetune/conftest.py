"""Small labelled collections, a project with comments, and a tiny encoder of sentences.

The one collection has two problems, three programs each, and one that does not lower; the other
has enough programs of each problem to learn from some, choose by others and judge by the rest.
"""

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


@pytest.fixture(scope="session")
def ten_each_file(tmp_path_factory):
    """Two problems, ten programs each."""
    lines = []
    for i in range(10):
        loop = f"int main(){{int n,s={i};cin>>n;for(int i=0;i<n;i++)s+=i;cout<<s;}}"
        branch = f"int main(){{int a,b;cin>>a>>b;if(a>b+{i})cout<<a;else cout<<b;}}"
        for label, code in (("sum", loop), ("max", branch)):
            lines.append(json.dumps({"label": label, "file": f"{label}/{i}.cpp", "code": code}))
    path = tmp_path_factory.mktemp("classes") / "programs.jsonl"
    path.write_text("\n".join(lines))
    return path


LOOPS = {
    "sum": ("total", "r += x[i];"),
    "product": ("product", "r *= x[i];"),
    "largest": ("largest value", "if (x[i] > r) r = x[i];"),
    "smallest": ("smallest value", "if (x[i] < r) r = x[i];"),
}
KINDS = ("int", "long", "double", "float", "short", "char")


@pytest.fixture(scope="session")
def commented_corpus(tmp_path_factory):
    """A corpus of 24 loops, each with a comment of its own, and one function without."""
    from ir_pipeline import build_corpus

    code = ["int undocumented(int x) { return x + 1; }"]
    for name, (what, step) in LOOPS.items():
        for kind in KINDS:
            code.append(
                f"/** Gives the {what} of many {kind} numbers. @param n how many */\n"
                f"{kind} {name}_{kind}(const {kind} *x, int n)\n"
                f"{{ {kind} r = x[0]; for (int i = 1; i < n; i++) {{ {step} }} return r; }}"
            )
    folder = tmp_path_factory.mktemp("commented")
    (folder / "loops.c").write_text("\n".join(code))
    build_corpus([folder / "loops.c"], folder / "corpus", views=["O0", "O2"])
    return folder / "corpus"


@pytest.fixture(scope="session")
def text_folder(tmp_path_factory):
    """A folder with an encoder of sentences, of random weights, that knows a few words."""
    transformers = pytest.importorskip("transformers")
    import tokenizers
    import torch

    words = ["[PAD]", "[UNK]", "gives", "the", "of", "many", "numbers", "find", "a", "list", *KINDS]
    words += ["total", "product", "largest", "smallest", "value", "sort", "sum", "maximum"]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    folder = tmp_path_factory.mktemp("text-encoder")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder
