import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/price.js";

test("src/price.js: three pieces cost three times as much", () => {
  assert.equal(total(250, 3), 750);
});
