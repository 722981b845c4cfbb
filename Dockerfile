# The command with everything that it needs, from the folder that `npm run image` makes: nothing is downloaded but
# the base image. A project adds its loops in an image of its own (docs/operate/containers.md).
ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY .turnseal/image/ ./
RUN npm ci --offline --cache=cache --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
# What installs packages is of use to an intruder only.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
ENV NODE_ENV=production NO_COLOR=1
WORKDIR /app
# Owned by root: the user below can read it, and change nothing.
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules/ ./node_modules/
USER 65532:65532
EXPOSE 9080 9464 8787 8786
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/node_modules/turnseal/bin/turnseal.js"]
CMD ["--help"]
