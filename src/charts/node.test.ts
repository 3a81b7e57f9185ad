import { expect, test } from "vitest";
import { el, svgText } from "./node.ts";

test("texts and attributes are escaped, and what XML cannot hold is replaced", () => {
  const node = el("text", { title: `"a" & 'b'` }, "<script>alert(1)</script>\u0000\u{FFFF}\uD800");
  expect(svgText(node)).toBe(
    '<text title="&quot;a&quot; &amp; &apos;b&apos;">&lt;script&gt;alert(1)&lt;/script&gt;\uFFFD\uFFFD\uFFFD</text>',
  );
});

test("numbers are rounded to hundredths, null is left out, and an empty element is closed at once", () => {
  expect(svgText(el("rect", { x: 1 / 3, y: -0.004, fill: null }))).toBe('<rect x="0.33" y="0"/>');
});

test("lists of children are taken apart, and null among them draws nothing", () => {
  expect(svgText(el("g", {}, null, [el("a", {}), [el("b", {}), null]], "c"))).toBe("<g><a/><b/>c</g>");
});
