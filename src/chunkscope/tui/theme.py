"""Themes of our own: dark, light, high contrast, colour-blind safe, the terminal's own colours.

Colour only ever repeats a mark.
"""

from textual.theme import Theme

DARK = Theme(
    name="chunkscope-dark",
    primary="#7aa2d6",
    secondary="#c8a46b",
    accent="#8fbf9f",
    warning="#d9b25f",
    error="#e07a6d",
    success="#84b98a",
    foreground="#d5d9e0",
    background="#14171c",
    surface="#191d24",
    panel="#222831",
    dark=True,
    variables={
        "border": "#39414e",
        "border-blurred": "#2c333e",
        "block-cursor-background": "#35506f",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#2a323d",
        "block-cursor-blurred-foreground": "#d5d9e0",
        "input-selection-background": "#35506f",
        "footer-key-foreground": "#c8a46b",
    },
)

LIGHT = Theme(
    name="chunkscope-light",
    primary="#1f5a96",
    secondary="#8a5a00",
    accent="#2f6f4f",
    warning="#8a5a00",
    error="#ad2c1f",
    success="#2c6e3a",
    foreground="#20242b",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e6e3db",
    dark=False,
    variables={
        "border": "#b9b4a8",
        "border-blurred": "#d2cec4",
        "block-cursor-background": "#c9dcf1",
        "block-cursor-foreground": "#10141a",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e0ddd4",
        "block-cursor-blurred-foreground": "#20242b",
        "input-selection-background": "#c9dcf1",
        "footer-key-foreground": "#8a5a00",
    },
)

CONTRAST = Theme(
    name="chunkscope-contrast",
    primary="#6fd3ff",
    secondary="#ffd75f",
    accent="#7dff9e",
    warning="#ffd75f",
    error="#ff8a80",
    success="#7dff9e",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    text_alpha=1.0,
    variables={
        "border": "#ffffff",
        "border-blurred": "#a8a8a8",
        "block-cursor-background": "#ffd75f",
        "block-cursor-foreground": "#000000",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#5a5a5a",
        "block-cursor-blurred-foreground": "#ffffff",
        "input-selection-background": "#0060a0",
        "footer-key-foreground": "#ffd75f",
        "text-muted": "#d8d8d8",
    },
)

# Blue and orange in place of green and red, apart in lightness too (after Okabe and Ito).
COLOURBLIND = Theme(
    name="chunkscope-colourblind",
    primary="#56b4e9",
    secondary="#f0e442",
    accent="#cc79a7",
    warning="#f0e442",
    error="#e69f00",
    success="#56b4e9",
    foreground="#e2e2e2",
    background="#14171c",
    surface="#191d24",
    panel="#222831",
    dark=True,
    variables={
        "border": "#48505d",
        "border-blurred": "#2c333e",
        "block-cursor-background": "#0a5a8c",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#2a323d",
        "block-cursor-blurred-foreground": "#e2e2e2",
        "input-selection-background": "#0a5a8c",
        "footer-key-foreground": "#f0e442",
    },
)

# The terminal's own sixteen colours, whatever they are; its own letters on its own background.
ANSI = Theme(
    name="chunkscope-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_yellow",
    accent="ansi_magenta",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "border": "ansi_bright_black",
        "border-blurred": "ansi_bright_black",
        "text-primary": "ansi_bright_blue",
        "text-secondary": "ansi_bright_yellow",
        "text-success": "ansi_green",
        "text-warning": "ansi_yellow",
        "text-error": "ansi_red",
        "text-muted": "ansi_bright_black",
        "text-disabled": "ansi_bright_black",
        "block-cursor-background": "ansi_blue",
        "block-cursor-foreground": "ansi_bright_white",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "ansi_bright_black",
        "block-cursor-blurred-foreground": "ansi_bright_white",
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_bright_white",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_bright_white",
        "footer-key-foreground": "ansi_yellow",
    },
)

THEMES = (DARK, LIGHT, CONTRAST, COLOURBLIND, ANSI)
SHORT_NAMES = {
    "dark": DARK.name,
    "light": LIGHT.name,
    "contrast": CONTRAST.name,
    "colourblind": COLOURBLIND.name,
    "ansi": ANSI.name,
}


def short_name(name: str) -> str:
    """A theme's short name, or its own where it is none of ours."""
    return next((short for short, full in SHORT_NAMES.items() if full == name), name)


def theme_after(name: str) -> str:
    """The next of our themes, the first after any other."""
    names = [theme.name for theme in THEMES]
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
