export { useSession } from "./use-session.ts";
