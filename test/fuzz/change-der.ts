/** Changes of DER that keep all lengths right, so that they reach the rules behind the reader of values. */
import { children, type Der, DerError, encodeDer, readDer, Tag } from "../../src/x509/der.ts";
import type { Random } from "../random.ts";
import { anyByte, anyBytes, type Change, changeBytes, pick, type Sources } from "./change-bytes.ts";

interface Node {
  tag: number;
  /** Before the children: the byte of a BIT STRING's unused bits. */
  before: Uint8Array;
  /** Null: primitive. */
  parts: Node[] | null;
  content: Uint8Array;
}

const MAX_DEPTH = 40;

/** Strings of octets and bits that hold DER are opened, too: extensions, keys, the answers in OCSP responses. */
function open(der: Der, depth: number): Node {
  const node: Node = { tag: der.tag, before: new Uint8Array(), parts: null, content: der.content };
  if (depth > MAX_DEPTH) return node;
  const list = (read: () => readonly Der[]): Node[] | null => {
    try {
      return read().map((part) => open(part, depth + 1));
    } catch (error) {
      if (error instanceof DerError) return null;
      throw error;
    }
  };
  if ((der.tag & 0x20) !== 0) return { ...node, parts: list(() => children(der, "")) };
  if (der.tag === Tag.octetString && der.content.length > 1)
    return { ...node, parts: list(() => [readDer(der.content, "")]) };
  if (der.tag === Tag.bitString && der.content[0] === 0 && der.content.length > 2)
    return { ...node, before: der.content.subarray(0, 1), parts: list(() => [readDer(der.content.subarray(1), "")]) };
  return node;
}

const write = ({ tag, before, parts, content }: Node): Uint8Array =>
  encodeDer(tag, ...(parts === null ? [content] : [before, ...parts.map(write)]));

function listNodes(node: Node, found: Node[] = []): Node[] {
  found.push(node);
  for (const part of node.parts ?? []) listNodes(part, found);
  return found;
}

const TAGS = [...Object.values(Tag), 0x80, 0x81, 0x82, 0x86, 0xa0, 0xa1, 0xa2, 0xa3];
const leaf = (tag: number, content: Uint8Array): Node => ({ tag, before: new Uint8Array(), parts: null, content });

/** What is changed in place. `all`: of the same input, and of another one. */
const EDITS: readonly ((node: Node, random: Random, sources: Sources, all: readonly Node[]) => void)[] = [
  (node, random) => {
    node.tag = random.chance(0.8) ? pick(random, TAGS, 0) : anyByte(random);
  },
  (node, random, sources) => {
    if (node.parts === null) node.content = changeBytes(node.content, random, sources);
    else node.parts.splice(random.below(node.parts.length), 1);
  },
  (node, random, _, all) => Object.assign(node, structuredClone(pick(random, all, node))),
  (node, random, _, all) =>
    node.parts?.splice(random.below(node.parts.length + 1), 0, structuredClone(pick(random, all, node))),
  (node, random, { maxBytes }) => {
    const part = pick(random, node.parts ?? [], null);
    if (!node.parts || !part) return;
    const most = Math.max(1, Math.floor(maxBytes / (2 * write(part).length)));
    const times = random.chance(0.1) ? most : Math.min(most, 1 + random.below(4));
    node.parts.splice(
      random.below(node.parts.length),
      0,
      ...Array.from({ length: times }, () => structuredClone(part)),
    );
  },
  (node, random) => {
    if (node.parts && random.chance(0.5)) node.parts.reverse();
    else node.parts = [];
  },
  (node, random) => {
    Object.assign(node, {
      parts: [{ ...node }],
      before: new Uint8Array(),
      tag: pick(random, [Tag.sequence, Tag.set, 0xa0, Tag.octetString], 0),
    });
  },
  (node) => {
    const [only] = node.parts ?? [];
    if (only) Object.assign(node, only);
  },
  (node, random) => Object.assign(node, leaf(pick(random, TAGS, 0), anyBytes(random, random.below(6)))),
];

function openAll(bytes: Uint8Array): Node | null {
  try {
    return open(readDer(bytes, ""), 0);
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

/** Of what is no DER any longer, a change of bytes. */
export const changeDer: Change = (input, random, sources) => {
  const root = openAll(input);
  if (!root || random.chance(0.15)) return changeBytes(input, random, sources);
  const nodes = listNodes(root);
  const others = random.chance(0.5) ? openAll(sources.other) : null;
  pick(random, EDITS, () => {})(pick(random, nodes, root), random, sources, others ? listNodes(others) : nodes);
  return write(root);
};
