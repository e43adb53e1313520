"""A real llama.cpp server with a tiny model of random weights, for tests of the wire.

    python serve.py

Prints the address of its OpenAI-compatible API on one line, and serves until its standard input is closed. The model
(half a megabyte, made here, the same every time) talks nonsense: HTTP, streaming, usage and JSON schemas are real,
content is not. It likes to close quotes and brackets, so that JSON under a schema with free texts comes to an end.
"""

import os
import sys
import tempfile

import gguf
import numpy as np
import xllamacpp

SEED = 20261120
LAYERS, WIDTH, HEADS, INNER, CONTEXT = 2, 64, 4, 128, 32768
BOS, EOS, UNKNOWN, FIRST_BYTE = 0, 1, 2, 3
EAGERNESS = {'"': 0.9, "]": 0.6, "}": 0.4}
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def vocabulary():
    """Special tokens, the 256 bytes (so that any text has tokens), and the space (else grammars fail) with a few words."""
    tokens = [("<s>", gguf.TokenType.CONTROL), ("</s>", gguf.TokenType.CONTROL), ("<unk>", gguf.TokenType.UNKNOWN)]
    tokens += [(f"<0x{byte:02X}>", gguf.TokenType.BYTE) for byte in range(256)]
    tokens += [(f"\u2581{word}", gguf.TokenType.NORMAL) for word in ("", "the", "of", "and", "is", "a")]
    return tokens


def write_model(path):
    rng = np.random.default_rng(SEED)
    tokens = vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_bos_token_id(BOS)
    writer.add_eos_token_id(EOS)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)

    def random(*shape):
        return rng.normal(0, 0.05, shape).astype(np.float32)

    def add(name, *shape):
        writer.add_tensor(name, random(*shape))

    def add_norm(name):
        writer.add_tensor(name, np.ones(WIDTH, np.float32))

    # The first component is the same for all tokens, so that its weight in the output is a bias.
    embedding, output = random(len(tokens), WIDTH), random(len(tokens), WIDTH)
    embedding[:, 0], output[:, 0] = 1.0, 0.0
    for letter, eagerness in EAGERNESS.items():
        output[FIRST_BYTE + ord(letter), 0] = eagerness
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    add_norm("output_norm.weight")
    for layer in range(LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
        add(f"blk.{layer}.ffn_gate.weight", INNER, WIDTH)
        add(f"blk.{layer}.ffn_up.weight", INNER, WIDTH)
        add(f"blk.{layer}.ffn_down.weight", WIDTH, INNER)
        add_norm(f"blk.{layer}.attn_norm.weight")
        add_norm(f"blk.{layer}.ffn_norm.weight")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.gguf")
        write_model(path)
        params = xllamacpp.CommonParams()
        params.model.path = path
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.n_ctx = CONTEXT
        params.n_parallel = 2
        # Where a request sets no limit, nonsense would go on to the end of the context.
        params.n_predict = 1024
        params.cpuparams.n_threads = 1
        params.cpuparams_batch.n_threads = 1
        params.warmup = False
        params.use_jinja = True
        server = xllamacpp.Server(params)
        print(f"{server.listening_address}/v1/", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
