/** Lists in pages: awaited for one, iterated for all. */
import { expect, test } from "vitest";
import { failureOf, json, makeClient, refusal } from "./fake-service.ts";

const collect = async <Element>(all: AsyncIterable<Element>): Promise<Element[]> => {
  const elements: Element[] = [];
  for await (const element of all) elements.push(element);
  return elements;
};

test("pages whose next one is named in the body", async () => {
  const pages = [json(200, { data: [{ id: 1 }, { id: 2 }], next_cursor: "c/2" }), json(200, { data: [{ id: 3 }] })];
  const { gate, asked } = makeClient(pages);
  expect(await collect(gate.accounts.listPermissions({ account_id: "a", status: "active" }))).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 3 },
  ]);
  expect(asked.map(({ url }) => url.split("?")[1])).toEqual(["status=active", "status=active&cursor=c%2F2"]);
});

test("pages whose next one is named in the header Link", async () => {
  const pages = [
    json(200, { data: [{ token: "1" }] }, { Link: '<?cursor=e1%2C2>; rel="next"' }),
    json(200, { data: [{ token: "2" }] }),
  ];
  const { gate, asked } = makeClient(pages);
  expect(await collect(gate.oauth2.listTokens({ account_id: "a" }))).toEqual([{ token: "1" }, { token: "2" }]);
  expect(asked[1]?.url).toBe("https://gate.test/v1/oauth2/account/a/tokens?cursor=e1%2C2");
});

test("a listing is awaited for its first page, and begins where it is told", async () => {
  const { gate, asked } = makeClient([json(200, { data: [], next_cursor: "c3" }), json(200, { data: [] })]);
  const page = await gate.obie.listPaymentOrderConsents({ ccg_token: "ccg", cursor: "c2", limit: 1 });
  expect(page).toEqual({ data: [], next_cursor: "c3" });
  expect(asked.map(({ url }) => url.split("?")[1])).toEqual(["limit=1&cursor=c2"]);
});

test("nothing is sent before it is awaited; a reader that stops asks for no more pages", async () => {
  const { gate, asked } = makeClient([json(200, { data: [{ id: 1 }, { id: 2 }], next_cursor: "c2" })]);
  const listing = gate.accounts.listPermissions({ account_id: "a" });
  expect(asked).toHaveLength(0);
  for await (const _ of listing) break;
  expect(asked).toHaveLength(1);
});

test("an error ends it", async () => {
  const { gate } = makeClient([json(200, { data: [], next_cursor: "c2" }), refusal(400, "cursor_invalid")]);
  expect(await failureOf(collect(gate.accounts.listPermissions({ account_id: "a" })))).toMatchObject({
    code: "cursor_invalid",
  });
  expect(
    await failureOf(makeClient([refusal(401, "credentials_invalid")]).gate.oauth2.listTokens({ account_id: "a" })),
  ).toMatchObject({
    code: "credentials_invalid",
  });
});
