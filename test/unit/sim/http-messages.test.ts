/** The messages of the simulation do what Node's own do, as far as the Worker uses it. */
import { expect, test } from "vitest";
import { LightHeaders } from "../../sim/http-headers.ts";
import { LightRequest, LightResponse } from "../../sim/http-messages.ts";

type Messages = readonly [headers: typeof Headers, request: typeof Request, response: typeof Response];
const LIGHT = [LightHeaders, LightRequest, LightResponse] as unknown as Messages;
const NODE: Messages = [Headers, Request, Response];

/** What it answers, or which kind of error it throws. */
async function say(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return (error as Error).name;
  }
}

const both = async (look: (...messages: Messages) => Promise<unknown>) =>
  expect(await look(...LIGHT)).toEqual(await look(...NODE));

test("headers", () =>
  both(async (Headers) => {
    const headers = new Headers({ "X-B": " two ", a: "1" });
    headers.append("A", "2");
    headers.append("Set-Cookie", "x=1");
    headers.append("set-cookie", "y=2");
    headers.set("gone", "1");
    headers.delete("GONE");
    const copy = new Headers(headers);
    copy.set("set-cookie", "z=3");
    const seen: string[] = [];
    headers.forEach((value, name) => void seen.push(name, value));
    return [
      [...headers],
      [...headers.keys()],
      [...copy.values()],
      seen,
      headers.getSetCookie(),
      headers.get("x-b"),
      headers.get("set-cookie"),
      headers.get("none"),
      headers.has("A"),
      await say(() => headers.set("a b", "1")),
      await say(() => headers.set("a", "€")),
      await say(() => headers.set("a", "1\r\nb: 2")),
    ];
  }));

test("requests", () =>
  both(async (_, Request) => {
    const url = "https://gate.example/a b?c=ü";
    const request = new Request(url, { method: "post", headers: { "X-A": "1" }, body: '{"a":"ü"}' });
    const again = new Request(request.clone(), { headers: { "X-B": "2" } });
    const said: unknown[] = [
      request.method,
      request.url,
      request.bodyUsed,
      [...request.headers],
      [...again.headers],
      again.method,
    ];
    const reader = again.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    said.push(new TextDecoder().decode(value), again.bodyUsed, await request.json(), request.bodyUsed);
    said.push(await say(() => request.text()), await say(() => request.clone()));
    said.push(await say(() => new Request(url, { body: "x" })), await say(() => new Request("no url")));
    const form = new Request(url, { method: "POST", body: new URLSearchParams({ a: "1", b: "ü" }) });
    said.push([...form.headers], [...(await form.formData())]);
    return [...said, new Request(url).body, new Request(url).signal.aborted];
  }));

test("responses", () =>
  both(async (_, __, Response) => {
    const response = new Response("ü", { status: 201, headers: { "X-A": "1" } });
    const said: unknown[] = [response.status, response.ok, [...response.headers], response.bodyUsed];
    const copy = new Response(response.clone().body, response);
    said.push(copy.status, [...copy.headers], await copy.text(), copy.bodyUsed, response.bodyUsed);
    said.push([...new Uint8Array(await response.arrayBuffer())], await say(() => response.text()));
    said.push(await new Response("\ufeffa").text(), await new Response(null).text(), new Response(null).body);
    said.push(await new Response(new Uint8Array([104, 105])).text(), await new Response("a\ud800").text());
    said.push(await say(() => new Response("x", { status: 204 })), await say(() => new Response("x", { status: 99 })));
    const json = Response.json({ a: 1 }, { status: 400 });
    said.push([...json.headers], json.status, await json.json(), await say(() => new Response("{").json()));
    const chunks: string[] = [];
    for await (const chunk of new Response("abc").body ?? []) chunks.push(new TextDecoder().decode(chunk));
    const piped = new Response("abc").body?.pipeThrough(new TransformStream());
    return [...said, chunks, await new Response(piped ?? null).text(), (await new Response("abc").blob()).size];
  }));
