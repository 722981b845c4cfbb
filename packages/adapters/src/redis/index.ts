export { openRedis, type Redis, type RedisOptions } from "./open-redis.ts";
