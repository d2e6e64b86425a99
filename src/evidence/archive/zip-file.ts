/**
 * A ZIP file (PKWARE APPNOTE 6.3) in one form only: files stored without compression, with a fixed time and no further
 * fields. So its bytes follow from its files and their order, and a reader finds whatever was altered, added or hidden by
 * writing it again. Any unzip program reads it. Pure.
 */
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

/** Contents by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

export type ReadZip = { readonly ok: true; readonly files: Files } | { readonly ok: false; readonly reason: string };

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** 2.0, the version that knows folders. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1980-01-01T00:00:00, the first instant of the form: the files' times are in the manifest. */
const DATE = 0x0021;
/** Without the 64-bit form. */
export const MAX_FILES = 65_535;
const MAX_BYTES = 0xffff_ffff;
const MAX_NAME_BYTES = 255;
const NAME = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

interface Member {
  readonly name: Buffer;
  readonly bytes: number;
  readonly crc: number;
  /** From the beginning of the file. */
  readonly offset: number;
}

/**
 * A ZIP file, part by part: of what is written it keeps names and checksums alone. Throws {@link RangeError} for what the form
 * does not allow: too many or too large files, a name twice, names other than plain ones.
 */
export class ZipWriter {
  readonly #members = new Map<string, Member>();
  #offset = 0;

  has(path: string): boolean {
    return this.#members.has(path);
  }

  /** The bytes of a file, after those that came before. */
  add(path: string, content: Uint8Array): readonly Uint8Array[] {
    const name = Buffer.from(path);
    if (!NAME.test(path) || name.length > MAX_NAME_BYTES || this.has(path))
      throw new RangeError(`${path} is no name of a new file here`);
    if (this.#members.size >= MAX_FILES) throw new RangeError(`at most ${MAX_FILES} files are possible`);
    const member = { name, bytes: content.length, crc: crc32(content), offset: this.#offset };
    this.#members.set(path, member);
    this.#grow(LOCAL_BYTES + name.length + content.length);
    return [localHeader(member), name, content];
  }

  /** The last bytes. */
  close(): Uint8Array {
    const members = [...this.#members.values()];
    const directory = Buffer.concat(members.flatMap((member) => [centralHeader(member), member.name]));
    const offset = this.#offset;
    this.#grow(directory.length);
    return Buffer.concat([directory, endRecord(members.length, directory.length, offset)]);
  }

  #grow(bytes: number): void {
    this.#offset += bytes;
    if (this.#offset > MAX_BYTES) throw new RangeError("more than 4 GiB are not possible in one archive");
  }
}

/** All of them in their order. Throws as {@link ZipWriter}. */
export function writeZip(files: Files): Buffer {
  const zip = new ZipWriter();
  const parts = [...files].flatMap(([path, content]) => zip.add(path, content));
  return Buffer.concat([...parts, zip.close()]);
}

function localHeader({ name, bytes, crc }: Member): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(LOCAL, 0);
  writeCommon(header, 4, crc, bytes, name.length);
  return header;
}

function centralHeader({ name, bytes, crc, offset }: Member): Buffer {
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(CENTRAL, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, crc, bytes, name.length);
  header.writeUInt32LE(offset, 42);
  return header;
}

/** The fields that both headers have. The method is 0: stored. */
function writeCommon(header: Buffer, at: number, crc: number, bytes: number, nameBytes: number): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(bytes, at + 14);
  header.writeUInt32LE(bytes, at + 18);
  header.writeUInt16LE(nameBytes, at + 22);
}

function endRecord(files: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Whether these are the first bytes of a ZIP file. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes.length >= END_BYTES && Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE() === LOCAL;

/** Never throws, whatever the bytes are. Contents are views of `bytes`. */
export function readZip(bytes: Uint8Array): ReadZip {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const files = new Map<string, Uint8Array>();
  let at = 0;
  while (at + LOCAL_BYTES <= zip.length && zip.readUInt32LE(at) === LOCAL) {
    const [length, nameBytes] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)];
    const begin = at + LOCAL_BYTES + nameBytes;
    const end = begin + length;
    if (end > zip.length) return { ok: false, reason: "the ZIP file ends within one of its files" };
    const name = zip.toString("utf8", at + LOCAL_BYTES, begin);
    const content = zip.subarray(begin, end);
    if (zip.readUInt32LE(at + 14) !== crc32(content))
      return { ok: false, reason: `${name || "a file"} was altered: its checksum is another one` };
    if (files.has(name)) return { ok: false, reason: `the ZIP file has ${name} twice` };
    files.set(name, content);
    at = end;
  }
  if (files.size === 0) return { ok: false, reason: "it is no ZIP file, or an empty one" };
  try {
    if (writeZip(files).equals(zip)) return { ok: true, files };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, reason: error.message };
  }
  return { ok: false, reason: "the ZIP file is not as this service writes it: something in it was altered or added" };
}
