# syntax=docker/dockerfile:1
FROM golang:1.26@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /citeloop . && mkdir /data && go run ./packaging/notices /THIRD_PARTY_NOTICES

# No shell, no package manager, certificates of the usual authorities, and a user that is not root.
FROM gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab
COPY --from=build /citeloop /citeloop
COPY --from=build /src/LICENSE /THIRD_PARTY_NOTICES /licenses/
COPY --from=build --chown=65532:65532 /data /data
# Paths in the container mean nothing to a client outside, so loops have no folders.
ENV CITELOOP_DATA=/data CITELOOP_CACHE=/data/cache CITELOOP_FOLDERS=off
VOLUME /data
EXPOSE 8080
USER 65532:65532
# By this the registry of MCP servers knows that the image is the one that server.json means.
LABEL io.modelcontextprotocol.server.name="io.github.citeloop/citeloop"
ENTRYPOINT ["/citeloop"]
CMD ["serve"]
