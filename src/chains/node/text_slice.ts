/** Position of a value in the text of an HTTP answer that is known to be JSON. */
export class TextSlice {
  readonly text: Buffer;
  readonly start: number;
  readonly length: number;

  constructor(text: Buffer, start: number, length: number) {
    this.text = text;
    this.start = start;
    this.length = length;
  }

  json(): unknown {
    return JSON.parse(this.text.toString("utf8", this.start, this.start + this.length));
  }
}
