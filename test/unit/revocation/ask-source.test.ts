import { expect, test } from "vitest";
import { at, crlAt, makeCertificate, makeCrl } from "../../../fixtures/makers/made-pki.ts";
import { AnswerMemory } from "../../../src/revocation/answer-memory.ts";
import { askSource } from "../../../src/revocation/ask-source.ts";
import { toVerifiedCrl } from "../../../src/revocation/crl-slot.ts";
import { listCrlSources } from "../../../src/revocation/revocation-sources.ts";
import { asked, HOUR, Kv, network, useNetwork } from "./network-and-kv.ts";

useNetwork();

const NOW = at("2026-06-10T00:00:00Z");
const issuer = makeCertificate({ subject: "CA" });
const crl = makeCrl({ issuer, thisUpdate: NOW - HOUR, nextUpdate: NOW });
const verified = toVerifiedCrl(crl, issuer.certificate);

/** With a memory of its own, of this many bytes. */
function sourceAt(url: string, capacity: number) {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, extensions: [crlAt(url)] });
  const [source] = listCrlSources({ certificate, issuer: issuer.certificate });
  if (!source) throw new Error("the certificate names no source");
  return { ...source, slot: { ...source.slot, memory: new AnswerMemory(capacity) } };
}

async function ask(source: ReturnType<typeof sourceAt>, known: (typeof verified)[], now: number) {
  const kv = new Kv(now);
  const pending: Promise<unknown>[] = [];
  const ctx = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise) };
  asked.length = 0;
  const { answer } = await askSource(source, known, {
    ...{ kv: kv.asKv(), ctx, now },
    signal: new AbortController().signal,
    checkDelegate: null,
  });
  await Promise.all(pending);
  return { answer, asked: [...asked], puts: kv.puts };
}

test("a source is not asked for what the isolate got since the request read KV, to its last instant", async () => {
  const url = "http://source.test/brought";
  const source = sourceAt(url, 100_000);
  source.slot.memory.add(source.slot.key, [verified], NOW);
  expect(await ask(source, [], NOW)).toMatchObject({ answer: { status: "good" }, asked: [] });
  // it was judged before, and did not do
  expect(await ask(source, [verified], NOW)).toMatchObject({ answer: { status: "unavailable" }, asked: [url] });
  const ended = sourceAt(`${url}/ended`, 100_000);
  ended.slot.memory.add(ended.slot.key, [verified], NOW + 1);
  expect(await ask(ended, [], NOW + 1)).toMatchObject({ answer: { status: "unavailable" }, asked: [`${url}/ended`] });
});

test("what the isolate's memory has no room for is put into KV all the same", async () => {
  const url = "http://source.test/large";
  network.set(url, crl);
  const source = sourceAt(url, crl.length);
  // KV keeps a CRL for a year: the end of its time does not matter
  expect(await ask(source, [], NOW)).toMatchObject({
    ...{ answer: { status: "good" }, asked: [url], puts: [source.slot.key] },
  });
  expect(source.slot.memory.list(source.slot.key)).toEqual([]);
});

test("a revocation that ended and that the isolate got meanwhile counts, whether it came before the source was asked or while", async () => {
  const url = "http://source.test/revoked";
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "0a1b", extensions: [crlAt(url)] });
  const times = { thisUpdate: NOW - HOUR, nextUpdate: NOW - 1_000 };
  const revoking = toVerifiedCrl(makeCrl({ issuer, ...times, entries: [{ serial: "0a1b" }] }), issuer.certificate);
  const sourceOf = () => {
    const [source] = listCrlSources({ certificate, issuer: issuer.certificate });
    if (!source) throw new Error("the certificate names no source");
    return { ...source, slot: { ...source.slot, memory: new AnswerMemory(100_000) } };
  };
  const before = sourceOf();
  before.slot.memory.add(before.slot.key, [revoking], NOW);
  expect(await ask(before, [], NOW)).toMatchObject({ answer: { status: "revoked", ...times }, asked: [] });
  const meanwhile = sourceOf();
  network.set(url, () => {
    meanwhile.slot.memory.add(meanwhile.slot.key, [revoking], NOW);
    return makeCrl({ issuer, thisUpdate: NOW - 2 * HOUR, nextUpdate: NOW + HOUR });
  });
  expect(await ask(meanwhile, [], NOW)).toMatchObject({ answer: { status: "revoked", ...times }, asked: [url] });
  // known before, it is judged already, and what the source sent is told as what it is
  expect(await ask(meanwhile, [revoking], NOW + 2_000)).toMatchObject({
    answer: { reason: "superseded" },
    asked: [url],
  });
});
