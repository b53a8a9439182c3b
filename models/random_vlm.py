"""Vision-language models with random weights: the real architecture, without a download.

For measuring speed (`archive-mem bench caption --random-weights qwen3-vl-2b`) and, tiny, for tests
that go through the real code for loading, preparing and generating. What they say means nothing.
Sizes are those of the published config.json of each model.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from archive_mem.errors import UsageError
from models.embed import quiet_loading

__all__ = ["ARCHITECTURES", "write_architecture", "write_tiny"]

_QWEN_SIGNS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
_QWEN_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_IDEFICS_SIGNS = (
    "<|endoftext|>",
    "<image>",
    "<fake_token_around_image>",
    "<end_of_utterance>",
    "<global-img>",
    *(f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)),
)
_IDEFICS_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] | capitalize }}: {% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<image>{% else %}{{ c['text'] }}{% endif %}{% endfor %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)


def _qwen3_vl(text: Mapping[str, Any], vision: Mapping[str, Any]) -> Callable[[Path], Any]:
    """Writes tokenizer and processor into a folder, and returns the configuration."""

    def write(folder: Path) -> Any:  # noqa: ANN401
        hub: Any = import_module("transformers")
        known = _save_tokenizer(folder, _QWEN_SIGNS, _QWEN_TEMPLATE, "<|im_end|>")
        processor = import_module("transformers.models.qwen2_vl.image_processing_pil_qwen2_vl")
        processor.Qwen2VLImageProcessorPil(
            patch_size=16, merge_size=2, size={"shortest_edge": 65_536, "longest_edge": 16_777_216}
        ).save_pretrained(folder)
        return hub.Qwen3VLConfig(
            text_config={
                "head_dim": 128,
                "rope_parameters": _mrope(24, 20, 20),
                "max_position_embeddings": 262_144,
                **_ends(known, "<|im_end|>"),
                **text,
            },
            vision_config={"patch_size": 16, "spatial_merge_size": 2, **vision},
            image_token_id=known["<|image_pad|>"],
            video_token_id=known["<|video_pad|>"],
            vision_start_token_id=known["<|vision_start|>"],
            vision_end_token_id=known["<|vision_end|>"],
            tie_word_embeddings=False,
        )

    return write


def _idefics3(text: Mapping[str, Any], vision: Mapping[str, Any]) -> Callable[[Path], Any]:
    def write(folder: Path) -> Any:  # noqa: ANN401
        hub: Any = import_module("transformers")
        known = _save_tokenizer(folder, _IDEFICS_SIGNS, _IDEFICS_TEMPLATE, "<end_of_utterance>")
        processor = import_module("transformers.models.idefics3.image_processing_pil_idefics3")
        side = vision["image_size"]
        processor.Idefics3ImageProcessorPil(
            size={"longest_edge": 2 * side}, max_image_size={"longest_edge": side}
        ).save_pretrained(folder)
        tokens = (side // vision["patch_size"]) ** 2 // 4
        (folder / "processor_config.json").write_text(
            f'{{"processor_class": "Idefics3Processor", "image_seq_len": {tokens}}}'
        )
        return hub.Idefics3Config(
            text_config={"model_type": "llama", **_ends(known, "<end_of_utterance>"), **text},
            vision_config=dict(vision),
            scale_factor=2,
            image_token_id=known["<image>"],
            pad_token_id=known["<|endoftext|>"],
            tie_word_embeddings=False,
        )

    return write


def _mrope(time: int, height: int, width: int) -> dict[str, Any]:
    return {
        "rope_type": "default",
        "rope_theta": 5_000_000,
        "mrope_section": [time, height, width],
        "mrope_interleaved": True,
    }


_VISION_2B = {
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "depth": 24,
    "num_heads": 16,
    "out_hidden_size": 2048,
    "deepstack_visual_indexes": [5, 11, 17],
}
ARCHITECTURES: Mapping[str, Callable[[Path], Any]] = MappingProxyType(
    {
        "qwen3-vl-2b": _qwen3_vl(
            {
                "vocab_size": 151_936,
                "hidden_size": 2048,
                "intermediate_size": 6144,
                "num_hidden_layers": 28,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
            },
            _VISION_2B,
        ),
        "qwen3-vl-8b": _qwen3_vl(
            {
                "vocab_size": 151_936,
                "hidden_size": 4096,
                "intermediate_size": 12_288,
                "num_hidden_layers": 36,
                "num_attention_heads": 32,
                "num_key_value_heads": 8,
            },
            {
                "hidden_size": 1152,
                "intermediate_size": 4304,
                "depth": 27,
                "num_heads": 16,
                "out_hidden_size": 4096,
                "deepstack_visual_indexes": [8, 16, 24],
            },
        ),
        "tiny-qwen3-vl": _qwen3_vl(
            {
                "vocab_size": 384,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "max_position_embeddings": 8192,
                "rope_parameters": _mrope(4, 2, 2),
                "initializer_range": 0.3,
            },
            {
                "hidden_size": 32,
                "intermediate_size": 64,
                "depth": 2,
                "num_heads": 2,
                "out_hidden_size": 64,
                "num_position_embeddings": 64,
                "deepstack_visual_indexes": [0, 1],
                "initializer_range": 0.3,
            },
        ),
        "tiny-idefics3": _idefics3(
            {
                "vocab_size": 384,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "max_position_embeddings": 8192,
                "initializer_range": 0.3,
            },
            {
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 64,
                "patch_size": 16,
                "initializer_range": 0.3,
            },
        ),
    }
)


def write_architecture(name: str, folder: Path) -> Path:
    """Configuration, byte tokenizer and processor, without weights. Raises UsageError."""
    if name not in ARCHITECTURES:
        raise UsageError(f"no architecture {name!r}; there are {', '.join(ARCHITECTURES)}")
    folder.mkdir(parents=True, exist_ok=True)
    with quiet_loading():
        ARCHITECTURES[name](folder).save_pretrained(folder)
    return folder


def write_tiny(name: str, folder: Path, seed: int = 7) -> Path:
    """The same with random weights in the folder: a checkpoint that loads as any other does."""
    write_architecture(name, folder)
    with quiet_loading():
        import torch

        hub: Any = import_module("transformers")
        torch.manual_seed(seed)
        config = hub.AutoConfig.from_pretrained(folder)
        hub.AutoModelForImageTextToText.from_config(config).save_pretrained(folder)
    return folder


def _save_tokenizer(folder: Path, signs: Sequence[str], template: str, end: str) -> dict[str, int]:
    """Byte-level, so that any text can be read; returns the number of each sign."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    hub: Any = import_module("transformers")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    known = {token: number for number, token in enumerate([*signs, *alphabet])}
    made = Tokenizer(models.BPE(vocab=known, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = hub.PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=end,
        pad_token=signs[0],
        additional_special_tokens=[each for each in signs[1:] if each != end],
    )
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return known


def _ends(known: Mapping[str, int], end: str) -> dict[str, Any]:
    return {
        "eos_token_id": known[end],
        "pad_token_id": known["<|endoftext|>"],
        "bos_token_id": None,
    }
