"""What the files of a model's folder say of how it is run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.embedding.bert_graph import is_bert
from chunkscope.errors import InputError
from chunkscope.text.display import visible

_MOST = 1_000_000
"""A limit over this is no limit: libraries write 10³⁰ where they know none."""

# Models whose first place is not 0: as many places fewer hold tokens.
_SHIFTED = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet", "longformer"})

_LIMITS = (
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
)
_PLAIN = frozenset({"Transformer", "Pooling", "Normalize"})
_POOLINGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_DOCUMENT_PROMPTS = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """How a model is run.

    Attributes:
        base: the folder of its tokenizer and config, mostly its own.
        context_limit: tokens it looks at, those put around a text counted; None: not said.
        pooling: how token vectors become one: mean, cls, or another.
        modules: what it is made of, in order.
        lower: whether texts are put in lower case first.
        prompt: what is put before a text.
        question_prompt: what is put before a question.
        pooled_prompt: whether the prompt's tokens count in the pooling.
        pad: the token that fills up a batch.
        bert: whether its weights are those of a BERT whose graph is known here.
    """

    base: Path
    context_limit: int | None
    pooling: str
    modules: tuple[str, ...]
    lower: bool
    prompt: str
    question_prompt: str
    pooled_prompt: bool
    pad: int
    bert: bool

    @property
    def plain(self) -> bool:
        """Whether a vector is nothing but its tokens' vectors, pooled by mean or by the first."""
        return set(self.modules) <= _PLAIN and self.pooling in ("mean", "cls")


def read_config(folder: Path) -> ModelConfig:
    """What a model's folder says.

    Raises:
        InputError: when a file of it cannot be read or is no JSON object; the file is named.
    """
    modules = _modules(folder)
    paths = {kind: folder / path for kind, path in reversed(modules)}
    base = paths.get("Transformer", folder)
    config = _object(base / "config.json")
    own = next((_object(base / name) for name in _LIMITS if (base / name).is_file()), {})
    tokenizer = _object(base / "tokenizer_config.json")
    pooling = _object(paths.get("Pooling", folder / "1_Pooling") / "config.json")
    prompts, default = _prompts(_object(folder / "config_sentence_transformers.json"))
    pad = _whole(config.get("pad_token_id"))
    return ModelConfig(
        base=base,
        context_limit=_limit(own, tokenizer, config),
        pooling=_pooling(pooling),
        modules=tuple(kind for kind, _ in modules) or ("Transformer", "Pooling"),
        lower=own.get("do_lower_case") is True,
        prompt=next((prompts[name] for name in _DOCUMENT_PROMPTS if name in prompts), default),
        question_prompt=prompts.get("query", default),
        pooled_prompt=pooling.get("include_prompt") is not False,
        pad=0 if pad is None else pad,
        bert=is_bert(config, base),
    )


def onnx_refusal(folder: Path, onnx: Path | None) -> str | None:
    """Why ONNX Runtime alone cannot do what the model's folder asks for; None: it can.

    Without an ONNX file it runs the weights of a BERT.

    Raises:
        InputError: when a file of the folder cannot be read.
    """
    config = read_config(folder)
    if onnx is None and not config.bert:
        return "it has no ONNX file"
    if not (config.base / "tokenizer.json").is_file():
        return "it has no tokenizer.json"
    if not config.plain:
        parts = [kind for kind in config.modules if kind not in _PLAIN]
        return f"it is made with {', '.join(parts) if parts else f'pooling {config.pooling!r}'}"
    if not config.pooled_prompt and (config.prompt or config.question_prompt):
        return "it leaves its prompts out of the pooling"
    return None


def _modules(folder: Path) -> list[tuple[str, str]]:
    path = folder / "modules.json"
    if not path.is_file():
        return []
    found = _json(path)
    if not isinstance(found, list):
        raise _damaged(path, "it is no list")
    modules = [one for one in found if isinstance(one, dict)]
    return [
        (str(one.get("type", "")).rpartition(".")[2], str(one.get("path", ""))) for one in modules
    ]


def _limit(own: dict[str, Any], tokenizer: dict[str, Any], config: dict[str, Any]) -> int | None:
    places = _whole(config.get("max_position_embeddings"))
    if places is not None and config.get("model_type") in _SHIFTED:
        places -= (_whole(config.get("pad_token_id")) or 0) + 1
    given = _whole(own.get("max_seq_length"))
    if given is None:
        given = _whole(tokenizer.get("model_max_length"))
    known = [limit for limit in (given, places) if limit is not None and 2 < limit < _MOST]
    return min(known, default=None)


def _pooling(config: dict[str, Any]) -> str:
    said = config.get("pooling_mode")
    if isinstance(said, str):
        return said
    chosen = [mode for key, mode in _POOLINGS.items() if config.get(key) is True]
    return "+".join(chosen) or "mean"


def _prompts(config: dict[str, Any]) -> tuple[dict[str, str], str]:
    given = config.get("prompts")
    found = given if isinstance(given, dict) else {}
    prompts = {str(name): text for name, text in found.items() if isinstance(text, str)}
    return prompts, prompts.get(str(config.get("default_prompt_name")), "")


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _object(path: Path) -> dict[str, Any]:
    """The object in a file; empty where there is no file."""
    if not path.is_file():
        return {}
    found = _json(path)
    if not isinstance(found, dict):
        raise _damaged(path, "it is no object")
    return found


def _json(path: Path) -> object:
    try:
        found: object = json.loads(path.read_bytes())
    except OSError as error:
        raise _damaged(path, error.strerror or "unreadable") from error
    # Bad UTF-8 and bad JSON are both of this kind; brackets without end are the other.
    except (ValueError, RecursionError) as error:
        raise _damaged(path, "it is no JSON") from error
    return found


def _damaged(path: Path, reason: str) -> InputError:
    return InputError(
        f"model: {visible(str(path))} cannot be read ({reason}); fetch the model again"
    )
