"""The style sheet of all screens. Colours are the theme's."""

from __future__ import annotations

CSS = """
Screen { layout: vertical; }
#head { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
.columns { height: 1fr; }
#detail { height: 2; padding: 0 2; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
.-wide #detail { display: none; }
#plan { height: auto; max-height: 8; padding: 0 1; border-top: solid $panel; display: none; }
#plan.-short { height: 1; border-top: none; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
#prompt { height: auto; max-height: 6; border: none; border-top: solid $primary; padding: 0 1; }
#status { height: 1; padding: 0 1; color: $text-muted; background: $surface; text-wrap: nowrap;
          text-overflow: ellipsis; }
#status.bad { color: $text-error; }
#keys { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
.-low #keys, .-low #detail, .-low #plan { display: none; }
.-tiny #head, .-tiny #status, .-tiny #keys, .-tiny #detail, .-tiny #plan { display: none; }
.-tiny #prompt { border: none; max-height: 1; }
ModalScreen { align: center middle; }
.dialog { width: 90%; max-width: 110; height: auto; max-height: 95%; border: round $primary; padding: 0 1;
          background: $surface; }
.heading { text-style: bold; margin-bottom: 1; }
.hints { color: $text-muted; margin-top: 1; }
.about { height: auto; max-height: 50vh; margin-bottom: 1; }
.about .inside { padding: 0 0 0 2; }
.wrong { height: auto; color: $text-error; }
.reading { height: auto; max-height: 70vh; }
.whole { height: 75vh; }
.editor { height: 60vh; }
.dialog OptionList { height: auto; max-height: 12; border: none; padding: 0; }
"""
