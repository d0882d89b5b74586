import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDialing } from "../../../test/servers/dialing.ts";
import { createClient, outcome, request } from "../../../test/servers/http-client.ts";
import { startTcpServer } from "../../../test/servers/tcp-server.ts";
import {
  allClosed,
  type CertificateName,
  response,
  startWebServer,
  TEST_CA_FILE,
  type WebServer,
} from "../../../test/servers/web-server.ts";
import { systemClock } from "../../base/clock.ts";
import { createHttp } from "./http.ts";

describe("Http.get() and TLS", () => {
  const serve = (certificate: CertificateName) => startWebServer(() => response("ok"), { certificate });
  const named = ({ port }: WebServer) => request(`https://www.example.com:${port}/`);

  test("takes a certificate of the operator's authority", async () => {
    const server = await serve("good");
    const http = await createClient({ caFile: TEST_CA_FILE });
    expect(await outcome(http, named(server))).toBe("200 ok");
    expect(await outcome(http, request(server.url))).toBe("200 ok");
    expect(server.requests[0]?.headers.get("host")).toBe(`www.example.com:${server.port}`);
    await allClosed(server);
  });

  test.each<[CertificateName, string]>([
    ["expired", "the certificate has expired (CERT_HAS_EXPIRED)"],
    ["early", "the certificate is not valid yet (CERT_NOT_YET_VALID)"],
    ["other", "the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)"],
    ["self", "the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)"],
  ])("sends nothing under the certificate %s", async (name, fault) => {
    const server = await serve(name);
    const wish = { ...named(server), isOperatorsWord: true };
    expect(await outcome(await createClient({ caFile: TEST_CA_FILE }), wish)).toBe(
      `error: No secure connection: ${fault}`,
    );
    expect(server.requests).toEqual([]);
    await allClosed(server);
  });

  test("takes no stranger's authority without the operator's file", async () => {
    const server = await serve("good");
    expect(await outcome(await createClient(), named(server))).toMatch(
      /issuer is not known \((UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\)$/,
    );
  });

  test("speaks no TLS older than 1.2", async () => {
    const tls = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const server = await startWebServer(() => response("ok"), { certificate: "good", tls });
    expect(await outcome(await createClient({ caFile: TEST_CA_FILE }), named(server))).toMatch(
      /^error: No secure connection: /,
    );
    expect(server.requests).toEqual([]);
  });

  test("is unavailable where no server speaks TLS", async () => {
    for (const octets of ["HTTP/1.1 400 Bad\r\n\r\n", "garbage garbage garbage", ""]) {
      const { port } = await startTcpServer({ onConnection: (socket) => socket.end(octets).resume() });
      const url = `https://www.example.com:${port}/`;
      expect(await outcome(await createClient({ caFile: TEST_CA_FILE }), request(url))).toMatch(
        /^error: No secure connection: /,
      );
    }
  });

  test.each([join(tmpdir(), "no-such-file.pem"), "/dev/null"])("does not start with %s", async (caFile) => {
    const { dialer } = await createDialing();
    const settings = { dialer, clock: systemClock, caFile, userAgent: "x" };
    expect(() => createHttp(settings)).toThrow(/fetch\.ca_file|ENOENT/);
  });
});
