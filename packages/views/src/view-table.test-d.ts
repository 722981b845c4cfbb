import { expectTypeOf, test } from "vitest";
import { type EventViews, VIEW_TABLE, type View, type ViewTable } from "./view-table.ts";

test("a type that no view has answered for does not compile", () => {
  expectTypeOf(VIEW_TABLE).toEqualTypeOf<ViewTable>();
  const { log: _, ...rest } = VIEW_TABLE;
  // @ts-expect-error One type of the log is missing.
  rest satisfies ViewTable;
  // A type that is added to the log is one more that the table must have.
  type Added = Readonly<Record<keyof ViewTable | "drift.found", EventViews>>;
  // @ts-expect-error It has no row.
  VIEW_TABLE satisfies Added;
});

test("a view that a type has not answered for does not compile", () => {
  const { graph: _, ...rest } = VIEW_TABLE.log;
  // @ts-expect-error One view is missing.
  rest satisfies EventViews;
  type Added = Readonly<Record<View | "otel", unknown>>;
  // @ts-expect-error It says nothing of a view that is added.
  VIEW_TABLE.log satisfies Added;
});
