/**
 * The live bus between processes: pieces are published on a channel of their run, and kept for
 * later watchers as long as their message is being written.
 *
 * While the server is away pieces are lost, and nothing else: the log has every message whole. When
 * it is back, watchers get the missing parts of messages that are still kept.
 */
import {
  LIVE_MESSAGES_MAX,
  LIVE_TEXT_LENGTH_MAX,
  type LiveBus,
  type LiveListener,
  type LiveWatch,
} from "@turnseal/ports";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import type { Connection } from "./connection.ts";
import { createFollower, type LiveFollower } from "./live-follower.ts";
import { parsePiece, parseSnapshot, renderHeader, renderPiece } from "./live-message.ts";
import { FINISH, PUBLISH, SNAPSHOT } from "./live-scripts.ts";
import { within } from "./within.ts";

/** How long an abandoned message is kept. */
export const LIVE_KEPT_MS = 10 * 60_000;
/**
 * How long a new watcher waits for a server that does not answer; after that it gets only later
 * pieces.
 */
export const LIVE_JOIN_MS_MAX = 1_000;

const MOVED = "moved";

/** The watchers of one run in this process. */
interface Room {
  readonly run: string;
  readonly followers: Set<LiveFollower>;
  readonly hear: (message: string) => void;
  readonly subscribed: Promise<void>;
}

export function redisLiveBus(connection: Connection, prefix: string): LiveBus {
  const rooms = new Map<string, Room>();
  const keyOf = (run: string): string => `${prefix}live:{${run}}`;
  // A publisher does not wait, and a lost piece is only not seen.
  const forget = (sent: Promise<unknown>): void => void sent.catch(() => {});
  connection.onReturn(() => {
    for (const room of rooms.values()) {
      for (const follower of room.followers) {
        follower.moved();
        forget(join(connection, keyOf(room.run), room, follower));
      }
    }
  });
  return {
    publish: (delta) => forget(publish(connection, keyOf(delta.run), delta)),
    moved: (run) => forget(connection.send("PUBLISH", keyOf(run), MOVED)),
    finish: ({ run, key }) => forget(connection.run(FINISH, [keyOf(run)], [key])),
    watch: (run, listener) => {
      const room = rooms.get(run) ?? openRoom(connection, keyOf(run), run);
      rooms.set(run, room);
      return enterRoom(connection, keyOf(run), { room, rooms, listener });
    },
  };
}

function publish(connection: Connection, key: string, delta: LiveDelta): Promise<unknown> {
  const { epoch, offset, text } = delta;
  const name = `${delta.kind} ${delta.part} ${delta.key}`;
  const args = [
    name,
    String(epoch),
    String(offset),
    String(offset + text.length),
    renderHeader(delta),
    JSON.stringify(text).slice(1, -1),
    key,
    renderPiece(delta),
    String(LIVE_KEPT_MS),
    String(LIVE_TEXT_LENGTH_MAX),
    String(LIVE_MESSAGES_MAX),
  ];
  return connection.run(PUBLISH, [key, `${key}:${name}`], args);
}

function openRoom(connection: Connection, channel: string, run: string): Room {
  const followers = new Set<LiveFollower>();
  const hear = (message: string): void => {
    const piece = message === MOVED ? undefined : parsePiece(run, message);
    for (const follower of followers) {
      if (message === MOVED) follower.moved();
      else if (piece !== undefined) follower.hear(piece);
    }
  };
  return { run, followers, hear, subscribed: connection.subscribe(channel, hear) };
}

interface Entering {
  readonly room: Room;
  readonly rooms: Map<string, Room>;
  readonly listener: LiveListener;
}

function enterRoom(
  connection: Connection,
  key: string,
  { room, rooms, listener }: Entering,
): LiveWatch {
  const follower = createFollower(listener);
  room.followers.add(follower);
  return {
    ready: join(connection, key, room, follower),
    close: () => {
      const wasThere = room.followers.delete(follower);
      if (!wasThere || room.followers.size > 0) return;
      rooms.delete(room.run);
      connection.unsubscribe(key, room.hear);
    },
  };
}

/** Gives a follower the pieces so far. Without an answer it gets later ones only. */
async function join(
  connection: Connection,
  key: string,
  { run, subscribed, followers }: Room,
  follower: LiveFollower,
): Promise<void> {
  follower.beginJoin();
  const asked = subscribed.then(() => connection.run(SNAPSHOT, [key], []));
  const answer = await within(asked, LIVE_JOIN_MS_MAX);
  if (!followers.has(follower)) return;
  const snapshot = answer === undefined ? undefined : parseSnapshot(run, answer);
  if (snapshot === undefined) follower.joinBlindly();
  else follower.join(snapshot);
}
