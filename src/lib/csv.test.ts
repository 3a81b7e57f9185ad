import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("lines have a head, what is missing is empty, and quotes, commas and line ends are quoted", () => {
  const rows = [{ name: 'a "b", c', count: 3 }, { name: "two\nlines", count: null }, { count: -1 }];
  expect(csvOf(["name", "count"], rows)).toBe('name,count\r\n"a ""b"", c",3\r\n"two\nlines",\r\n,-1\r\n');
});

test("a text that a calculating program would run does not begin as a formula", () => {
  const names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"];
  const lines = csvOf(
    ["name"],
    names.map((name) => ({ name })),
  );
  expect(lines).toBe("name\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n");
});
