/** gzip, as the platform has it. */

/** The whole of what the stream makes of the content. Rejects with what the stream throws. */
export async function transform(
  content: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Response(content).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(piped ?? null).arrayBuffer());
}
