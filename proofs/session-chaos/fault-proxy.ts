/**
 * A bad network between a client and the server: it cuts connections, sends frames twice and in
 * another order, loses answers and sends requests twice. Sometimes it says that a reader knows the
 * last event of another run.
 *
 * An overtaken frame is sent in the same piece as the frame that overtakes it. So a reader's last
 * event is never later than an event that it will not get.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Random } from "../simulate/random.ts";

/** How often each fault happened. */
export interface FaultCounts {
  cuts: number;
  duplicates: number;
  reorders: number;
  lostAnswers: number;
  doubleRequests: number;
  foreignPlaces: number;
}

export interface FaultProxy {
  readonly url: string;
  readonly counts: Readonly<FaultCounts>;
  close(): Promise<void>;
}

const CHANCES = {
  cut: 0.03,
  duplicate: 0.1,
  reorder: 0.1,
  lostAnswer: 0.15,
  doubleRequest: 0.15,
  foreignPlace: 0.2,
} as const;
/** Milliseconds that a frame waits for one to overtake it. */
const HOLD_MS = 15;
/** Ids that are kept, to be sent where they do not belong. */
const PLACES_MAX = 64;

export async function openFaultProxy(target: URL, random: Random): Promise<FaultProxy> {
  const counts: FaultCounts = {
    ...{ cuts: 0, duplicates: 0, reorders: 0 },
    ...{ lostAnswers: 0, doubleRequests: 0, foreignPlaces: 0 },
  };
  const line: Line = { target, random, counts, places: [] };
  const server = createServer((incoming, response) => {
    const forwarded = incoming.method === "GET" ? forwardRead : forwardCommand;
    forwarded(line, incoming, response).catch(() => response.destroy());
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Line {
  readonly target: URL;
  readonly random: Random;
  readonly counts: FaultCounts;
  readonly places: string[];
}

async function forwardCommand(line: Line, incoming: IncomingMessage, response: ServerResponse) {
  const body: Buffer[] = [];
  for await (const chunk of incoming) body.push(chunk);
  const bytes = Buffer.concat(body);
  if (line.random.chance(CHANCES.doubleRequest)) {
    line.counts.doubleRequests += 1;
    await ask(line, incoming, { bytes }).then((answer) => answer.resume());
  }
  const answer = await ask(line, incoming, { bytes });
  if (line.random.chance(CHANCES.lostAnswer)) {
    line.counts.lostAnswers += 1;
    answer.resume();
    response.destroy();
    return;
  }
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
  answer.on("error", () => response.destroy());
}

async function forwardRead(line: Line, incoming: IncomingMessage, response: ServerResponse) {
  const answer = await ask(line, incoming, { place: foreignPlace(line, incoming) });
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.on("close", () => answer.destroy());
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  if (!isStream) {
    answer.pipe(response);
    return;
  }
  response.flushHeaders();
  const frames = createFrameFaults(line, response);
  answer.setEncoding("utf8").on("data", frames.take);
  answer.on("end", () => frames.end());
  answer.on("error", () => response.destroy());
}

/** Only who says where they are can be made to say something else. */
function foreignPlace(line: Line, { headers }: IncomingMessage): string | undefined {
  const own = headers["last-event-id"];
  if (typeof own !== "string") return undefined;
  line.places.push(own);
  if (line.places.length > PLACES_MAX) line.places.shift();
  const run = own.split("/")[0] ?? "";
  const others = line.places.filter((place) => !place.startsWith(run));
  if (others.length === 0 || !line.random.chance(CHANCES.foreignPlace)) return undefined;
  line.counts.foreignPlaces += 1;
  return line.random.pick(others);
}

interface Sent {
  readonly bytes?: Buffer;
  readonly place?: string | undefined;
}

function ask(
  { target }: Line,
  { method, url, headers }: IncomingMessage,
  { bytes, place }: Sent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _, ...kept } = headers;
    const outgoing = request(new URL(url ?? "/", target), {
      method: method ?? "GET",
      headers: { ...kept, ...(place === undefined ? {} : { "last-event-id": place }) },
      agent: false,
    });
    outgoing.on("response", resolve).on("error", reject);
    outgoing.end(bytes);
  });
}

function createFrameFaults(line: Line, response: ServerResponse) {
  const { counts } = line;
  let rest = "";
  let held: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    if (held !== undefined) response.write(held);
    held = undefined;
  };
  const send = (frame: string): void => {
    if (held !== undefined) {
      counts.reorders += 1;
      const [later, earlier] = [frame, held];
      held = undefined;
      clearTimeout(timer);
      response.write(later + earlier);
    } else if (line.random.chance(CHANCES.reorder)) {
      held = frame;
      timer = setTimeout(release, HOLD_MS);
    } else response.write(frame);
    if (!line.random.chance(CHANCES.duplicate)) return;
    counts.duplicates += 1;
    response.write(frame);
  };
  return {
    take: (text: string): void => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        if (response.destroyed) return;
        if (line.random.chance(CHANCES.cut)) {
          counts.cuts += 1;
          release();
          // Half of a frame, and then nothing: a reader must not take it for a whole one.
          response.write(frame.slice(0, frame.length / 2));
          response.destroy();
          return;
        }
        send(`${frame}\n\n`);
      }
    },
    end: (): void => {
      release();
      response.end();
    },
  };
}
