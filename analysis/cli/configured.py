"""`--config FILE`: what a file says becomes the defaults of a command's options.

Flag, environment, file, default: the first that says something counts. The command itself
does not see the difference; what is no option (limits, the mapping) it asks for here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from analysis.config.finding import find_config
from analysis.config.limits import limit_text, limits_with
from analysis.config.tables import Table, type_of
from ingest.errors import UsageError
from ingest.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from analysis.config.files import Config

F = TypeVar("F", bound=Callable[..., Any])

PROFILE: Final = (
    "judge",
    "judge_model",
    "citations",
    "probes",
    "k",
    "include_templates",
)
"""Options of `replay` that say how turns are judged; `[profile]` holds them."""

BARE: Final = "\0"
"""Stands for `--config` without a file."""


class ConfigOption(click.Option):
    """The option; it is read before all others, since it gives them their defaults."""

    def __init__(self, *, may_be_bare: bool = False) -> None:
        """Make the option.

        Args:
            may_be_bare: It may stand without a file, and then asks what is in force.
        """
        text = (
            "Read defaults, limits and [mapping] from here.  [default: stagefault.toml, in this "
            "folder or one above]"
        )
        if may_be_bare:
            text += " Alone, without SRC: print each value and where it comes from."
        super().__init__(
            ["--config"],
            metavar="[FILE]" if may_be_bare else "FILE",
            envvar="STAGEFAULT_CONFIG",
            is_eager=True,
            expose_value=False,
            callback=_apply,
            is_flag=False,
            flag_value=BARE if may_be_bare else None,
            help=text,
        )


def config_of(context: click.Context | None = None) -> "Config":
    """Return the configuration of the command that runs."""
    from analysis.config.files import Config

    return (context or click.get_current_context()).find_object(Config) or Config()


def limits_option(command: F) -> F:
    """Add `--max NAME=VALUE`, repeatable."""
    defaults = asdict(DEFAULT_LIMITS).items()
    known = ", ".join(f"{name} ({limit_text(name, value)})" for name, value in defaults)
    return click.option(
        "--max",
        "maxima",
        multiple=True,
        metavar="NAME=VALUE",
        help=f"Bound what is read; repeatable. What is beyond is a named loss. NAME, and its "
        f"default: {known}.",
    )(command)


def reading_plan(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a plan has of the file and of `--max`: limits, mapping, and their origin."""
    config = config_of()
    return {
        "limits": limits_with(config.limits, options["maxima"]),
        "mapping": config.mapping,
        "config": {
            "file": None if config.path is None else str(config.path),
            "sha256": config.sha256,
            "mapping": config.mapping_sha256,
        },
    }


def is_bare(context: click.Context) -> bool:
    """Tell whether `--config` stands without a file."""
    return bool(context.meta.get(BARE))


def variable_of(parameter: click.Parameter) -> str:
    """Return the environment variable of an option: `STAGEFAULT_JUDGE_MODEL`."""
    return f"STAGEFAULT_{_long_name(parameter).upper()}"


def option_names(command: click.Command) -> dict[str, click.Parameter]:
    """Return the options of a command by the names that a file gives them."""
    found: dict[str, click.Parameter] = {}
    for parameter in command.params:
        if isinstance(parameter, ConfigOption):
            continue
        found[_long_name(parameter)] = parameter
    return found


def _long_name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len).lstrip("-").replace("-", "_")


def _apply(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[BARE] = value == BARE
    named = None if value in (None, BARE) else Path(str(value))
    path = named or find_config(Path.cwd())
    if path is None:
        return
    try:
        config = _loaded(context, path)
    except UsageError:
        if context.resilient_parsing:  # a shell completes words, whatever the file says
            return
        raise
    context.obj = config
    context.default_map = _defaults(context, config)


def _loaded(context: click.Context, path: Path) -> "Config":
    """Return what a file says, with the tables of all commands checked."""
    from analysis.config.files import load_config

    root = context.find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    config = load_config(_shown(path), commands)
    for name, command in commands.items():
        _check(context, command, config.tables.get(name), name)
    profile = config.tables.get("profile")
    if profile is not None and "replay" in commands:
        known = option_names(commands["replay"])
        for name in profile.keys(PROFILE, what="value of a profile"):
            _default(context, profile, name, known[name])
    return config


def _shown(path: Path) -> Path:
    """Return a file as a user would name it from here."""
    folder = Path.cwd()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def _defaults(context: click.Context, config: "Config") -> dict[str, Any]:
    """Return what the file gives the options of the command that runs."""
    names = option_names(context.command)
    found: dict[str, Any] = {}
    if config.store is not None and "store" in names:
        found["store"] = config.store
    if config.sources and "sources" in names:
        found["sources"] = list(config.sources)
    profile = config.tables.get("profile")
    if profile is not None:
        for name in profile.values:
            if name in names:
                found |= _default(context, profile, name, names[name])
    own = _own_table(context, config)
    if own is not None:
        for name in own.keys(names, what="option"):
            found |= _default(context, own, name, names[name])
    return found


def _own_table(context: click.Context, config: "Config") -> Table | None:
    """Return the table of the command: `[replay]`, `[runs.list]`."""
    words = context.command_path.split()[1:]
    table = config.tables.get(words[0]) if words else None
    for word in words[1:]:
        table = table.table(word) if table is not None and word in table.values else None
    return table


def _check(context: click.Context, command: click.Command, table: Table | None, name: str) -> None:
    """Refuse what the table of any command cannot hold."""
    if table is None:
        return
    if isinstance(command, click.Group):
        for inner in table.keys(command.commands, what=f"command of {name}"):
            _check(context, command.commands[inner], table.table(inner), inner)
        return
    names = option_names(command)
    for key in table.keys(names, what=f"option of {name}"):
        _default(context, table, key, names[key])


def _default(
    context: click.Context, table: Table, name: str, parameter: click.Parameter
) -> Mapping[str, Any]:
    """Return a value of the file under the name that click knows, if it is one."""
    value = table.values[name]
    many = parameter.nargs != 1 or parameter.multiple
    listed = value if isinstance(value, list) else [value]
    if isinstance(value, list) and not many:
        table.fail(name, "is a list, where one value is meant")
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    converted = [_plain(table, name, parameter, item, is_flag=is_flag) for item in listed]
    try:
        parameter.type_cast_value(context, converted if many else converted[0])
    except click.BadParameter as error:
        table.fail(name, error.message.rstrip("."))
    return {str(parameter.name): converted if many else converted[0]}


def _plain(
    table: Table, name: str, parameter: click.Parameter, value: Any, *, is_flag: bool
) -> Any:
    """Return a value that click takes without guessing what it means."""
    if is_flag or isinstance(value, bool):
        if not (is_flag and isinstance(value, bool)):
            remedy = "Write true or false." if is_flag else "Write what the option takes."
            table.fail(name, f"is {type_of(value)}", remedy)
        return value
    if isinstance(value, dict | list):
        table.fail(name, f"is {type_of(value)}, where one value is meant")
    numeric = isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType)
    whole = isinstance(parameter.type, click.types.IntParamType)
    if numeric and (not isinstance(value, int | float) or (whole and not isinstance(value, int))):
        table.fail(name, f"is {type_of(value)}", "Write a whole number." if whole else "")
    return value if numeric else str(value)


def in_force(context: click.Context) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and origin of all that `replay` would run with here.

    Options come first, then limits, then the rules of the mapping.
    """
    config = config_of(context)
    root = context.find_root()
    group = root.command
    replay = group.get_command(root, "replay") if isinstance(group, click.Group) else None
    if replay is not None:
        words = ["--config", str(config.path)] if config.path is not None else []
        inner = replay.make_context("replay", words, parent=root, resilient_parsing=True)
        for name, parameter in option_names(replay).items():
            if name not in _ASKED_ONLY:
                source = inner.get_parameter_source(str(parameter.name))
                value = _value_text(inner.params.get(str(parameter.name)))
                yield name, value, _origin_text(source, config.path, parameter, inner)
    for name, value in asdict(config.limits).items():
        is_default = value == asdict(DEFAULT_LIMITS)[name]
        origin = "default" if is_default else str(config.path)
        yield f"max {name}", limit_text(name, value), origin
    for rule in config.mapping.rules:
        facts = ", ".join(rule.facts) or ("ignored" if rule.ignore else "its kind only")
        yield rule.name, facts, str(config.path)


_ASKED_ONLY: Final = ("max", "dry_run", "show_egress")
"""Options that are asked for once, not set."""


def _value_text(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "true" if value else "false"
        case tuple() | list():
            return ", ".join(map(str, value)) or "-"
        case _:
            return str(value)


def _origin_text(
    origin: Any, path: Path | None, parameter: click.Parameter, context: click.Context
) -> str:
    source = click.core.ParameterSource
    if origin is source.DEFAULT_MAP:
        return str(path)
    if origin is source.ENVIRONMENT:
        own = f"{context.auto_envvar_prefix}_{str(parameter.name).upper()}"
        named = parameter.envvar if isinstance(parameter.envvar, str) else own
        return f"environment ({named})"
    return "flag" if origin is source.COMMANDLINE else "default"
