import { scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { bindModels } from "./bind-models.ts";

test("mock is what is bound to it, else what is bound to scripted, else the scripted model", () => {
  const [one, two] = [scriptedModel(["one"]), scriptedModel(["two"])];
  expect(bindModels({ mock: one, scripted: two }).get("mock")).toBe(one);
  expect(bindModels({ mock: one }).get("scripted")).not.toBe(one);
  expect(bindModels({ scripted: two }).get("mock")).toBe(two);
  const none = bindModels();
  expect([...none.keys()]).toEqual(["scripted", "mock"]);
  expect(none.get("mock")).toBe(none.get("scripted"));
});
