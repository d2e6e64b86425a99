import { expect, test } from "vitest";
import { bytesOf, listContent } from "../../../../fixtures/makers/signed-list.ts";
import { claimedPivots } from "../../../../src/trust/lists/accept.ts";

test("the pivots of a list of lists are the addresses with their names, newest first", () => {
  const pivots = ["https://lists.example/eu-lotl-pivot-341-v2.xml", "https://lists.example/pivot-9.xml"];
  const others = [
    "https://lists.example/pivot-9.pdf",
    "https://lists.example/pivot-9.xml.html",
    "https://lists.example/pivot.xml",
    "https://lists.example/",
  ];
  const information = [...others, ...pivots].map((uri) => `<URI>${uri}</URI>`).join("");
  expect(claimedPivots(bytesOf(listContent({ territory: "EU", information })))).toEqual(pivots);
});
