/**
 * Published trusted lists in the form of ../shared/data/trusted-lists/expected.json: each file beside it is to be taken,
 * and then reads as it says, or to be refused. The list of lists among them names the signers of the others.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Pointer } from "../../trusted-lists/pointers.ts";
import { takeTrustedList } from "../../trusted-lists/take.ts";
import type { CaseAnswer, SuiteCase, SuiteKind } from "./suite.ts";

const TAKEN = z.object({
  version: z.number(),
  sequenceNumber: z.number(),
  issued: z.string(),
  nextUpdate: z.string().nullable(),
  trustServiceProviders: z.number(),
  services: z.number(),
  caQc: z.number(),
  caQcGranted: z.number(),
  caQcGrantedForWebSiteAuthentication: z.number(),
  caQcGrantedForeSeals: z.number(),
  signatureAlgorithm: z.string(),
});

const entry = z.discriminatedUnion("take", [
  TAKEN.extend({ file: z.string(), take: z.literal(true), territory: z.string() }),
  z.object({ file: z.string(), take: z.literal(false), why: z.string() }),
]);
const suite = z.array(entry).min(1);

type Entry = z.infer<typeof entry>;

const LIST_OF_LISTS = "EU";

export const trustedListSuites: SuiteKind = {
  name: "trusted lists",
  recognises: ({ json }) =>
    z
      .array(z.object({ file: z.string(), take: z.boolean() }))
      .min(1)
      .safeParse(json).success,
  read: ({ path, json }, now) => {
    const entries = suite.parse(json);
    const take = (file: string, pointers: readonly Pointer[] | null) =>
      takeFile(join(dirname(path), file), pointers, now);
    const listOfLists = entries.find((each) => each.take && each.territory === LIST_OF_LISTS)?.file;
    const findPointers = async () => {
      const taken = listOfLists === undefined ? null : await take(listOfLists, null);
      return taken?.ok ? taken.list.pointers : null;
    };
    let pointers: ReturnType<typeof findPointers> | null = null;
    const judge = async (each: Entry) => {
      pointers ??= findPointers();
      return describe(each, await take(each.file, await pointers));
    };
    return entries.map((each) => toCase(each, judge));
  },
};

async function takeFile(path: string, pointers: readonly Pointer[] | null, now: number) {
  return await takeTrustedList({ bytes: await readFile(path), pointers, loaded: new Map(), now });
}

const toCase = (each: Entry, judge: (each: Entry) => Promise<CaseAnswer>): SuiteCase => ({
  id: each.file,
  expected: each.take ? "taken" : "refused",
  expectsAccept: each.take,
  run: () => judge(each),
});

function describe(each: Entry, taken: Awaited<ReturnType<typeof takeTrustedList>>): CaseAnswer {
  if (!taken.ok) return answer(false, "refused", `${taken.reason}: ${taken.message}`);
  if (!each.take) return answer(true, "taken", "every rule held");
  const { list } = taken;
  const differing = [
    ...(list.territoryOnList === each.territory ? [] : [`territory ${list.territoryOnList}`]),
    ...TAKEN.keyof().options.flatMap((field) => (list[field] === each[field] ? [] : [`${field} ${list[field]}`])),
  ];
  return differing.length === 0
    ? answer(true, "taken", "read as expected")
    : answer(false, "taken, but read otherwise", differing.join(", "));
}

const answer = (accepted: boolean, actual: string, reason: string): CaseAnswer => ({
  accepted,
  actual,
  reason,
  notApplicable: null,
});
