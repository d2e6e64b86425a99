import { expect, test } from "vitest";
import { sourceKey } from "../../../../src/http/rate-limit/source-key.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
])("%s counts as %s", (address, key) => {
  expect(sourceKey(address)).toBe(key);
});
