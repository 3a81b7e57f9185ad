const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text of several lines written by a stranger (source code, notes): as `cleanText`, but tabs, line ends and edges stay. */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replaceAll("\r\n", "\n").replace(UNSAFE_IN_LINES, "");
