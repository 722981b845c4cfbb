/**
 * The least cost of a durable turn: a handler written by hand with one journaled step. The step
 * makes as many commits of as many bytes, one after the other, and the handler sends itself once.
 */
import { handlers, type ObjectContext, object } from "@restatedev/restate-sdk";
import pg from "pg";

export const FLOOR_OBJECT = "Floor";

export interface FloorOptions {
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** Told of every step that is done. */
  readonly onStep: (key: string) => void;
}

/** The work of a key: so many steps, each with commits of these sizes. */
export interface FloorWork {
  readonly steps: number;
  readonly bytes: readonly number[];
}

export async function createFloorObject({ databaseUrl, connectionsMax, onStep }: FloorOptions) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
  pool.on("error", () => {});
  await pool.query("create schema if not exists floor");
  await pool.query(
    "create table if not exists floor.step (key text, step int, place int, body text, primary key (key, step, place))",
  );
  const store = async (key: string, step: number, bytes: readonly number[]): Promise<void> => {
    for (const [place, size] of bytes.entries())
      await pool.query({
        name: "floor-step",
        text: "insert into floor.step (key, step, place, body) values ($1, $2, $3, $4)",
        values: [key, step, place, "x".repeat(size)],
      });
  };
  return object({
    name: FLOOR_OBJECT,
    handlers: {
      step: handlers.object.exclusive(
        {},
        async (ctx: ObjectContext, work: FloorWork): Promise<void> => {
          const { steps, bytes } = work;
          await ctx.run("step", () => store(ctx.key, steps, bytes));
          onStep(ctx.key);
          if (steps > 1)
            ctx.genericSend({
              service: FLOOR_OBJECT,
              method: "step",
              key: ctx.key,
              parameter: Buffer.from(JSON.stringify({ ...work, steps: steps - 1 })),
            });
        },
      ),
    },
    options: { journalRetention: 0 },
  });
}
