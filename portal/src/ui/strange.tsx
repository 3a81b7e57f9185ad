/** Text that strangers wrote on a chain: a name, a symbol. It is shown, never obeyed. */

/** Signs without a form, and those that change how others are read. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Letters and marks that are drawn as nothing: fillers, joiners, choosers of a form. First and last of each run. */
const BLANK: readonly (readonly [number, number])[] = [
  [0x034f, 0x034f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xe0100, 0xe01ef],
];

const isHidden = (sign: string): boolean => {
  const code = sign.codePointAt(0) ?? 0;
  return HIDDEN.test(sign) || BLANK.some(([first, last]) => code >= first && code <= last);
};

const WIDTH_MAX = 40;

/** More marks than this over one letter are a tower, not a word. */
const COMBINING_MAX = 2;

export interface StrangePart {
  readonly text: string;
  /** True for the name of a sign that would not be seen. */
  readonly is_mark: boolean;
}

const codeOf = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The text in parts, cut to a width. */
export const strangeParts = (
  text: string,
  width = WIDTH_MAX,
): { readonly parts: readonly StrangePart[]; readonly is_cut: boolean } => {
  const parts: { text: string; is_mark: boolean }[] = [];
  let [used, combining, is_cut] = [0, 0, false];
  for (const sign of text.slice(0, width * 8).toWellFormed()) {
    combining = /\p{M}/u.test(sign) ? combining + 1 : 0;
    if (combining > COMBINING_MAX) continue;
    if (used >= width) {
      is_cut = true;
      break;
    }
    used += 1;
    const is_mark = isHidden(sign);
    const last = parts.at(-1);
    if (!is_mark && last !== undefined && !last.is_mark) last.text += sign;
    else parts.push({ text: is_mark ? codeOf(sign) : sign, is_mark });
  }
  return { parts, is_cut: is_cut || text.length > width * 8 };
};

export interface StrangeProps {
  readonly text: string;
  /** Most signs that are shown. */
  readonly width?: number;
  /** False for words of the service and of its lists: they are cleaned and cut as well, and not marked. */
  readonly is_marked?: boolean;
  /** Names the author; by default a stranger on a chain. */
  readonly title?: string;
}

const TITLE = "Written by strangers on the chain: anyone can choose any name";

export const Strange = ({ text, width = WIDTH_MAX, is_marked = true, title = TITLE }: StrangeProps) => {
  const { parts, is_cut } = strangeParts(text, width);
  return (
    <bdi class={is_marked ? "strange" : "told"} title={is_marked ? title : undefined}>
      {parts.map((part, at) =>
        part.is_mark ? (
          <span key={`${at}${part.text}`} class="strange-mark">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
      {is_cut ? "…" : ""}
    </bdi>
  );
};
