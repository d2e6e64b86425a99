/** Trusted lists: signed ones, of which nothing may be changed, and what the readers make of any content. */
import { sameBytes } from "../../../src/platform/encoding.ts";
import { acceptTrustedList } from "../../../src/trust/lists/accept.ts";
import { parseXml, readDocument, surveyDocument } from "../../../src/trust/lists/document.ts";
import { ListRefused } from "../../../src/trust/lists/elements.ts";
import { readServices } from "../../../src/trust/lists/list.ts";
import type { Pointer } from "../../../src/trust/lists/scheme.ts";
import { readScheme } from "../../../src/trust/lists/scheme.ts";
import { readTrustFile } from "../../../src/trust/trust-file.ts";
import { type Corpus, decode } from "../corpus.ts";
import { must, readOrRefuse, type Target, toBytes, toText } from "../target.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");

const WORDS = [
  ...[
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x",
    "?>",
    "<!DOCTYPE x>",
    "&amp;",
    "&#x0;",
    "&#38;",
    "&lt;",
    'xmlns:x="u"',
    'xml:lang="en"',
  ],
  ...["<a>", "</a>", "<a/>", 'Id="x"', "<Name>", "</Name>", "2026-02-30T00:00:00Z", "EU", "XA"],
];

export async function listTargets({ lists, pivots, pinned, certificates }: Corpus): Promise<Target[]> {
  const bytes = lists.map(decode);
  const circumstances = { pinned: pinned.map(decode), loaded: new Map(), now: NOW };
  const accept = (list: Uint8Array, pointers: readonly Pointer[] | null) =>
    acceptTrustedList({ ...circumstances, bytes: list, pivots: pointers === null ? pivots.map(decode) : [], pointers });
  const world = await accept(bytes[0] ?? new Uint8Array(), null);
  must(world.ok, "the list of lists is not taken");
  const { pointers } = world.list;
  /** What each says, by its territory. */
  const said = new Map<string, string>();
  for (const list of bytes.slice(1)) {
    const taken = await accept(list, pointers);
    must(taken.ok, "a list is not taken");
    said.set(taken.list.territory, JSON.stringify(taken.list));
  }
  const anchor = {
    ...{ certificate: certificates[0], qtspName: "Q", serviceName: "S" },
    periods: [{ status: "granted", from: "2016-07-01T00:00:00Z", uses: ["seal"] }],
  };
  const head = {
    source: "sandbox",
    jurisdiction: "XX",
    sequenceNumber: 1,
    issuedAt: "2026-11-01T00:00:00Z",
    nextUpdate: null,
  };
  return [
    {
      ...{ name: "trusted-list", form: "text", stepsPerByte: 600, maxBytes: 32 * 1024, words: WORDS },
      corpus: bytes.slice(1),
      check: async (input) => {
        const answer = await accept(input, pointers);
        if (answer.ok)
          must(said.get(answer.list.territory) === JSON.stringify(answer.list), "a list says what nobody signed");
        else must(answer.message !== "", "a refusal without a reason");
      },
    },
    {
      ...{ name: "list-content", form: "text", stepsPerByte: 600, maxBytes: 32 * 1024, words: WORDS },
      corpus: bytes,
      check: (input) => {
        const root = readOrRefuse(() => readDocument(input), ListRefused);
        if (!root) return;
        for (const read of [surveyDocument, readScheme, readServices]) readOrRefuse(() => read(root), ListRefused);
        const text = toText(input).replace(/^\ufeff/, "");
        must(
          sameBytes(toBytes(parseXml(text).localName ?? ""), toBytes(root.localName ?? "")),
          "read twice, it has two roots",
        );
      },
    },
    {
      ...{ name: "trust-file", form: "json", stepsPerByte: 300 },
      corpus: [
        toBytes(JSON.stringify({ ...head, anchors: [anchor] })),
        toBytes(`-----BEGIN CERTIFICATE-----\n${certificates[0]}\n-----END CERTIFICATE-----`),
      ],
      check: (input) => {
        const file = readTrustFile(toText(input), { source: "sandbox", jurisdiction: "XX" }, NOW);
        if (!file.ok) must(file.problems.length > 0, "a refusal without a reason");
        else
          for (const { periods } of file.list.anchors)
            must(
              periods.every(({ from }) => !Number.isNaN(Date.parse(from))),
              "a period without a time",
            );
      },
    },
  ];
}
