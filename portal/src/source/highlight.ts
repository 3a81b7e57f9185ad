/** Source code as coloured pieces. It need not be right about a language to be read: strings, comments, words and numbers are enough. */

export type Hue = "comment" | "string" | "number" | "word" | "type" | "plain";

export interface HighlightedText {
  readonly hue: Hue;
  readonly text: string;
}

const WORDS =
  "abstract|address|anonymous|as|assembly|assert|async|await|bool|break|calldata|case|catch|class|const|constant|constructor|continue|contract|def|default|delete|do|elif|else|emit|enum|error|event|external|fallback|false|final|fn|for|from|function|if|immutable|implements|import|in|indexed|interface|internal|is|let|library|log|loop|mapping|match|memory|mod|modifier|mut|new|nonpayable|nonreentrant|override|payable|pragma|private|pub|public|pure|raise|receive|require|return|returns|revert|self|solidity|static|storage|struct|super|switch|this|throw|transient|true|try|type|unchecked|use|using|var|view|virtual|while|with|yield";
const TYPES =
  "u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?|bytes(?:[1-9]|[12][0-9]|3[0-2])?|string|felt252|i128|u128|decimal|HashMap|DynArray|Address|String|Bytes";

/** Each alternative takes at least one sign and none can take another's beginning, so that no text makes it slow. */
const PIECE = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)`,
    String.raw`(?<number>\b0x[0-9a-fA-F_]+\b|\b\d[\d_.]*(?:e-?\d+)?\b)`,
    String.raw`(?<word>\b(?:${WORDS})\b)`,
    String.raw`(?<type>\b(?:${TYPES})\b)`,
    String.raw`(?<plain>[A-Za-z_$][\w$]*|[^\w"'/#$]+|[\s\S])`,
  ].join("|"),
  "g",
);

const HUES: readonly Hue[] = ["comment", "string", "number", "word", "type"];

/** The pieces of a text in order: together they are the text. */
export const highlighted = (text: string): readonly HighlightedText[] => {
  const pieces: { hue: Hue; text: string }[] = [];
  for (const { groups = {}, 0: found } of text.matchAll(PIECE)) {
    const hue = HUES.find((one) => groups[one] !== undefined) ?? "plain";
    const last = pieces.at(-1);
    if (last?.hue === hue) last.text += found;
    else pieces.push({ hue, text: found });
  }
  return pieces;
};
