export { openRedis } from "@turnseal/adapters/redis";
