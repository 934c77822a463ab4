"""`chunkscope golden review`: generated questions accepted, mended or rejected, one by one."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from chunkscope.cli.flags import add_golden_arguments, add_reading_flags, path
from chunkscope.cli.output import add_row, console, print_json, say, table
from chunkscope.cli.sources import read_corpus
from chunkscope.errors import InputError
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.flags import Flags, flags_of
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.reviewfile import ReviewFile, rejected_path
from chunkscope.golden.reviewing import Reviewer, login_name, origin, status
from chunkscope.text.tokens import get_token_counter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "paths", nargs="*", type=path, metavar="PATH",
        help="files and folders; only --accept and --reject do without",
    )  # fmt: skip
    add_reading_flags(parser)
    add_golden_arguments(parser)
    parser.add_argument("--by", metavar="NAME", help="kept with each verdict; else the login name")
    parser.add_argument(
        "--all", action="store_true",
        help="also questions written by hand, and those that are reviewed already",
    )  # fmt: skip
    script = parser.add_argument_group("without a terminal")
    script.add_argument("--list", action="store_true", help="print what is to be reviewed")
    script.add_argument(
        "--accept", action="append", default=[], metavar="ID,…", help="accept these; repeatable"
    )
    script.add_argument(
        "--reject", action="append", default=[], metavar="ID,…",
        help="take these out of the golden set, into FILE.rejected.jsonl; repeatable",
    )  # fmt: skip
    script.add_argument("--encoding", default="cl100k_base", metavar="NAME", help="counts tokens")
    script.add_argument("--format", choices=("table", "json"), default="table")
    look = parser.add_argument_group("the screen")
    look.add_argument("--theme", metavar="NAME", help="a theme of the inspector")
    look.add_argument("--ascii", action="store_true", help="marks of plain ASCII in the text")


def run(arguments: argparse.Namespace) -> int:
    """Judge, list or open the review; 0."""
    if arguments.golden is None:
        raise InputError("no golden set: give --golden FILE")
    judging = bool(arguments.accept or arguments.reject)
    if not arguments.paths and (arguments.list or not judging):
        raise InputError("no documents: give PATH, the files and folders the questions are about")
    if not (judging or arguments.list):
        _check_terminal()
    reviewer = Reviewer(login_name() if arguments.by is None else arguments.by)
    file = ReviewFile(arguments.golden, reviewer)
    done = _judge(file, arguments) if judging else {}
    if arguments.list:
        _list(file, arguments, done)
    elif not judging:
        return _open(file, arguments)
    elif arguments.format == "json":
        print_json({**done, **_counts(file)})
    return 0


def _check_terminal() -> None:
    # The screen is drawn on stderr, so that it too must be the terminal.
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise InputError(
            "the review needs a terminal; without one use: "
            "chunkscope golden validate PATH --golden FILE, "
            "or golden review with --list, --accept and --reject"
        )


def _open(file: ReviewFile, arguments: argparse.Namespace) -> int:
    corpus = read_corpus(arguments, [rejected_path(arguments.golden)])
    if not file.queue(everything=arguments.all):
        more = "" if arguments.all else "; --all shows every question"
        say(f"{arguments.golden}: nothing to review{more}")
        return 0
    from chunkscope.tui.reviewing import run_review

    return run_review(
        file,
        corpus,
        everything=arguments.all,
        encoding=arguments.encoding,
        ascii_marks=arguments.ascii,
        theme=arguments.theme,
    )


def _judge(file: ReviewFile, arguments: argparse.Namespace) -> dict[str, list[str]]:
    """Accept and reject what is named; nothing is done unless all of it can be."""
    known = set(file.questions)
    accepted = _ids(arguments.accept, known, "--accept")
    rejected = _ids(arguments.reject, known, "--reject")
    both = [id for id in accepted if id in rejected]
    if both:
        raise InputError(f"{both[0]!r}: both --accept and --reject; give one of them")
    # What a script says twice is not written twice.
    new = {
        "accepted": [
            id
            for id in accepted
            if not (file.counts(id) and status(file.questions[id]) == "accepted")
        ],
        "rejected": [id for id in rejected if file.counts(id)],
    }
    file.accept(*new["accepted"])
    file.reject(*new["rejected"])
    counts = _counts(file)
    where = f" (into {rejected_path(file.path)})" if new["rejected"] else ""
    say(
        f"{len(new['accepted'])} accepted, {len(new['rejected'])} rejected{where}; "
        f"{counts['to_review']} to review"
    )
    return new


def _ids(values: Sequence[str], known: set[str], flag: str) -> list[str]:
    """The ids in the values of a flag; a value that is one id may hold commas."""
    named = [
        id for value in values for id in ([value] if value in known else value.split(",")) if id
    ]
    for id in named:
        if id not in known:
            raise InputError(f"{flag} {id!r}: no question of that id; --list names them")
    return list(dict.fromkeys(named))


def _counts(file: ReviewFile) -> dict[str, int]:
    return {
        "to_review": len(file.queue()),
        "questions": len(file.golden.questions),
        "rejected_total": len(file.rejected.questions),
    }


def _list(file: ReviewFile, arguments: argparse.Namespace, done: dict[str, list[str]]) -> None:
    corpus = read_corpus(arguments, [rejected_path(arguments.golden)])
    counter = get_token_counter(arguments.encoding)
    ids = file.queue(everything=arguments.all)
    queue = [question for id in ids if (question := file.find(id)) is not None]
    flags: dict[str, Any] = dict(flags_of(file.golden, corpus, counter))
    alone = tuple(question for question in queue if not file.counts(question.id))
    flags.update(flags_of(GoldenSet(alone), corpus, counter))
    if arguments.format == "json":
        print_json(
            {
                "golden": {
                    "questions": len(file.golden.questions),
                    "fingerprint": fingerprint(file.golden),
                },
                "corpus": {"documents": len(corpus.documents), "fingerprint": corpus.fingerprint},
                **done,
                **_counts(file),
                "queue": [_object(question, flags) for question in queue],
            }
        )
        return
    made = table("", [("id", "left"), ("scores", "left"), ("question", "wrap"), ("flags", "wrap")])
    for question in queue:
        scores = " ".join(f"{score:g}" for score in origin(question).scores.values()) or "–"
        said = "; ".join(finding.message for finding in flags.get(question.id, ()))
        add_row(made, [question.id, scores, question.question, said])
    console().print(made)
    say(f"{len(queue)} to review")


def _object(question: Question, flags: Flags) -> dict[str, Any]:
    kept = origin(question)
    return {
        "id": question.id,
        "question": question.question,
        "answer": question.answer,
        "type": question.type,
        "doc": question.doc,
        "status": status(question),
        "scores": dict(kept.scores),
        "reason": kept.reason,
        "model": kept.model,
        "flags": [
            {"severity": finding.severity, "message": finding.message}
            for finding in flags.get(question.id, ())
        ],
    }
