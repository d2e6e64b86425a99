import { expect, test } from "vitest";
import { makeCode } from "../../../src/reference/code-block.ts";

test("a command within another has its colours, and a text goes on in the next line", async () => {
  const text =
    'TOKEN=$(ask -H "eidas: $(certificate one)" --json "{\n  \\"code\\": \\"$CODE\\" }" | field token) # it works';
  const html = await makeCode({ text, language: "sh" });
  for (const name of ["ask", "field"]) expect(html).toContain(`<span class=f>${name}</span>`);
  expect(html).toContain('<span class=s>"eidas: $(certificate one)"</span>');
  expect(html).toMatch(
    /<span class=s>"\{\n {2}\\"code\\": \\"<\/span><span class=v>\$CODE<\/span><span class=s>\\" \}"/,
  );
  expect(html.replaceAll(/<[^>]*>|Copy/g, "").trim()).toBe(text);
});
