import { describe, expect, test } from "vitest";
import { findDangers, inlineScripts, isParked } from "./dangers.ts";
import { readPage } from "./page.ts";

const URL_HERE = "https://site.test/shop/index.html";
const read = (html: string) => readPage(html, URL_HERE);
const dangers = (html: string) => {
  const page = read(html);
  return findDangers(page, inlineScripts(page.scripts, URL_HERE));
};

describe("a page", () => {
  test("is read from its source: title, language, text, links, forms, fields, scripts", () => {
    const page = read(`<!doctype html><html lang="de"><title> Ein  Titel </title>
      <style>p { color: red }</style><p>One<b>word</b></p><p>two &amp; three</p>
      <a href="../a">A <i>link</i></a> <a href="mailto:x@y.test">mail</a>
      <form action="https://other.test/take"><label>Your name <input name="n"></label><input type="hidden" name="h"></form>
      <textarea placeholder="words"></textarea>
      <script src="app.js"></script><script>if (1 < 2) alert("<p>not text</p>")</script>`);
    expect(page).toEqual({
      ...{ title: "Ein Titel", language: "de", is_whole: true },
      text: "Oneword two & three A link mail Your name",
      links: [{ href: "https://site.test/a", text: "A link" }],
      forms: [{ action: "https://other.test/take" }],
      fields: [
        { kind: "text", words: "n Your name" },
        { kind: "textarea", words: "words Your name" },
      ],
      scripts: [
        { src: "https://site.test/shop/app.js", text: "" },
        { src: null, text: 'if (1 < 2) alert("<p>not text</p>")' },
      ],
    });
  });

  test("leaves comments and styles out of the text and resolves addresses against the base", () => {
    const page = read('<base href="https://cdn.test/x/"><!-- hidden --><style>hidden</style>seen<a href="y">z</a>');
    expect([page.text, page.links]).toEqual(["seenz", [{ href: "https://cdn.test/x/y", text: "z" }]]);
  });

  test("cleans hostile text", () => {
    expect(read("<title>a\u202eb\u200bc</title>").title).toBe("abc");
  });

  test.each([
    ["deep nesting", "<b><i><table>".repeat(80_000)],
    ["an endless tag", `<p ${Array.from({ length: 200_000 }, (_, n) => `a${n.toString(36)}`).join(" ")}>`],
    ["an unclosed script", `<script>${"<!--<script>".repeat(80_000)}`],
    ["entities", "&amp".repeat(250_000)],
    ["nothing", ""],
  ])("%s is read in well under two seconds", (_what, html) => {
    const started = performance.now();
    const page = read(html);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(page.title).toBeNull();
  });

  test("stops at a tag with thousands of attributes and reports the page as incomplete", () => {
    const tag = `<p ${Array.from({ length: 50_000 }, (_, n) => `a${n}`).join(" ")}>`;
    const page = read(`<p>before</p>${tag}after`);
    expect([page.text, page.is_whole]).toEqual(["before", false]);
  });
});

describe("seed phrases", () => {
  test.each([
    '<input placeholder="Enter your seed phrase">',
    '<textarea name="recovery_phrase"></textarea>',
    "<label>Private key <input></label>",
    '<div contenteditable="true" aria-label="12 words"></div>',
    `<p>Type your secret recovery phrase</p>${"<input>".repeat(12)}`,
  ])("%s asks for one", (html) => {
    expect(dangers(html).requests_seed_phrase).toBe(true);
  });

  test.each([
    "<p>We will never ask for your seed phrase.</p><input name=email>",
    '<input placeholder="Search words">',
    `<p>Fill in</p>${"<input>".repeat(12)}`,
    '<input type="hidden" name="seed phrase">',
  ])("%s does not", (html) => {
    expect(dangers(html).requests_seed_phrase).toBe(false);
  });
});

describe("scripts", () => {
  const ids = (script: string) => dangers(`<script>${script}</script>`).drainer_signatures.map(({ id }) => id);

  test("recognises a drainer by the combination of its calls", () => {
    const sweep = `for (const t of tokenBalances) { nft.setApprovalForAll(x, true); token.increaseAllowance(x, max); }
      ethereum.request({method:'eth_sendTransaction'})`;
    expect(ids(sweep)).toEqual(["takes_tokens_collectibles_and_coins"]);
    expect(ids("fetch('https://api.telegram.org/bot123/send'); token.approve(x, max)")).toEqual([
      "approval_reported_to_chat_bot",
    ]);
    expect(ids('provider.send({ method: "eth_sign", params })')).toEqual(["blind_signing"]);
    expect(ids("// Inferno Drainer v3")).toEqual(["drainer_kit_name"]);
  });

  test("does not flag an exchange that requests one approval, typed data or notifications", () => {
    expect(ids("token.approve(router, amount); router.swap()")).toEqual([]);
    expect(ids('wallet.request({ method: "eth_signTypedData_v4", params })')).toEqual([]);
    expect(ids("fetch('https://api.telegram.org/bot123/getUpdates')")).toEqual([]);
    expect(ids("market.setApprovalForAll(operator, true)")).toEqual([]);
  });

  test("names the script of each finding", () => {
    const { drainer_signatures, wallet_scripts } = dangers(
      '<script src="https://cdn.test/web3modal.js"></script><script>1</script><script>window.ethereum.x; method: "eth_sign"</script>',
    );
    expect(drainer_signatures).toEqual([{ id: "blind_signing", ref: `${URL_HERE}#script-3` }]);
    expect(wallet_scripts).toEqual(["https://cdn.test/web3modal.js", `${URL_HERE}#script-3`]);
  });

  test("tells obfuscated code from plain and minified code", () => {
    const hidden = [
      Array.from({ length: 20 }, (_, n) => `_0x${(4096 + n).toString(16)}`).join("+"),
      "eval(atob('YWxlcnQoMSk='))",
      "eval(function(p,a,c,k,e,d){}('x',1))",
      `x="${"\\x61".repeat(40)}"`,
      `String.fromCharCode(${Array(31).fill(65).join(",")})`,
    ];
    for (const script of hidden)
      expect([script.slice(0, 20), dangers(`<script>${script}</script>`).obfuscated.length]).toEqual([
        script.slice(0, 20),
        1,
      ]);
    const plain = [
      "var a=function(b){return b.map(function(c){return c+1})};",
      "x = '0x1a2b3c4d'",
      `x="${"\\x61".repeat(39)}"`,
    ];
    for (const script of plain) expect(dangers(`<script>${script}</script>`).obfuscated).toEqual([]);
  });
});

test("a domain for sale is parked; a long page that mentions one is not", () => {
  expect(isParked(read("<h1>Buy this domain</h1>"), URL_HERE)).toBe(true);
  expect(isParked(read('<script src="https://img.sedoparking.com/x.js"></script>'), URL_HERE)).toBe(true);
  expect(isParked(read("<p>hello</p>"), "https://www.hugedomains.com/x")).toBe(true);
  expect(isParked(read(`<p>buy this domain ${"word ".repeat(900)}</p>`), URL_HERE)).toBe(false);
  expect(isParked(read("<p>A token</p>"), URL_HERE)).toBe(false);
});
