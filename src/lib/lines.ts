const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Untrusted text of several lines (source code, notes): like `cleanText`, but keeps tabs, line ends and surrounding white space. */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replaceAll("\r\n", "\n").replace(UNSAFE_IN_LINES, "");
