import type { Socket } from "node:net";
import { createServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { a, CANARY_HOST, createDialing, startCanary, zone } from "../../../test/servers/dialing.ts";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { startTcpServer } from "../../../test/servers/tcp-server.ts";
import {
  type CertificateName,
  certificateText,
  startWebServer,
  TEST_CA_FILE,
  type WebServerOptions,
} from "../../../test/servers/web-server.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { createTlsLook, type TlsLook } from "./tls.ts";
import { NO_CERTIFICATE } from "./tls-shape.ts";
import { createTrust } from "./tls-trust.ts";

const LAB = zone({
  "www.example.com": [a("127.0.0.1")],
  "a.wild.example": [a("127.0.0.1")],
  "inside.example": [a("127.0.0.1"), a(CANARY_HOST)],
});

async function createLook({
  clock = systemClock,
  caFile = TEST_CA_FILE,
}: {
  clock?: Clock;
  caFile?: string | null;
} = {}): Promise<TlsLook> {
  const { dialer } = await createDialing({ script: LAB, clock });
  return createTlsLook({ dialer, clock, trust: createTrust(caFile) });
}

const serve = (certificate: CertificateName, tls: WebServerOptions["tls"] = {}) =>
  startWebServer(() => undefined, { certificate, tls });

describe("TlsLook", () => {
  test("tells everything about a certificate that is as it should be", async () => {
    const server = await serve("good", { ALPNProtocols: ["h2", "http/1.1"] });
    const look = await createLook({ clock: createStoppedClock() });
    const report = await look({ host: "www.example.com", port: server.port });
    expect(report).toMatchObject({
      status: "ok",
      error: null,
      valid: true,
      subject: { common_name: "www.example.com", organization: "Example Org", country: "FR" },
      issuer: { common_name: "Repute Test CA", organization: "Repute Tests", country: "DE" },
      issuer_name: "C=DE, O=Repute Tests, CN=Repute Test CA",
      sans: ["www.example.com", "*.wild.example", "localhost"],
      sans_count: 3,
      valid_from: "2025-01-01T00:00:00Z",
      valid_to: "2125-01-01T00:00:00Z",
      days_left: 35_779,
      age_days: 744,
      lifetime_days: 36_524,
      chain_valid: true,
      self_signed: false,
      hostname_match: true,
      expired: false,
      not_yet_valid: false,
      wildcard: true,
      key_type: "ec",
      key_bits: 256,
      signature_algorithm: "ecdsa-with-SHA256",
      protocol: "TLSv1.3",
      cipher: "TLS_AES_256_GCM_SHA384",
      alpn: "h2",
    });
    expect(report.serial).toMatch(/^[0-9A-F]{10,40}$/);
    expect(report.fingerprint_sha256).toMatch(/^[0-9a-f]{64}$/);
    await until(() => server.open() === 0);
    expect(server.requests).toEqual([]);
  });

  test.each<[CertificateName, string, object, string | null]>([
    ["expired", "www.example.com", { expired: true, chain_valid: false }, "CERT_HAS_EXPIRED"],
    ["early", "www.example.com", { not_yet_valid: true, chain_valid: false }, "CERT_NOT_YET_VALID"],
    ["self", "www.example.com", { self_signed: true, chain_valid: false }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["other", "www.example.com", { hostname_match: false, chain_valid: true }, null],
    ["self-common", "www.example.com", { hostname_match: false, sans: [] }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["self-address", "www.example.com", { hostname_match: false, sans: [] }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["self-address", "127.0.0.1", { hostname_match: true, sans: [] }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])(
    "fills every field of the certificate %s of %s, and says that it is not valid",
    async (name, host, facts, code) => {
      const server = await serve(name);
      const report = await (await createLook())({ host, port: server.port });
      expect(report).toMatchObject({ status: "ok", valid: false, ...facts });
      expect(report.error?.code ?? null).toBe(code);
      const { alpn: _, error: __, ...filled } = report;
      expect(Object.values(filled)).not.toContain(null);
    },
  );

  test.each<[CertificateName, string]>([
    ["expired", "The certificate has expired"],
    ["early", "The certificate is not valid yet"],
    ["self", "The certificate is self-signed"],
    ["self-issued", "The certificate's issuer is not known"],
  ])("says in a sentence what is wrong with the certificate %s: %s", async (name, message) => {
    const server = await serve(name);
    const report = await (await createLook())({ host: "www.example.com", port: server.port });
    expect(report.error?.message).toBe(message);
  });

  test.each<[CertificateName, boolean, string]>([
    ["self", true, "untrusted and nothing else"],
    ["self-expired", true, "also expired"],
    ["self-early", true, "also not valid yet"],
    ["self-other", true, "also for another host"],
    ["self-usage", true, "its key may not sign certificates"],
    ["self-leaf", true, "it says that it is no authority"],
    ["self-authority", true, "it says that it is an authority"],
    ["self-key-id", true, "its authority key identifier names another key"],
    ["self-issued", false, "it names itself as issuer, but another key signed it"],
    ["good", false, "an authority signed it"],
    ["expired", false, "an authority signed it, and it is expired"],
  ])("says of the certificate %s that it is self-signed: %s (%s)", async (name, selfSigned) => {
    const server = await serve(name);
    const report = await (await createLook())({ host: "www.example.com", port: server.port });
    expect(report.self_signed).toBe(selfSigned);
  });

  test("does not call a leaf self-signed when the server sends its self-signed root as well", async () => {
    const chain = [certificateText("good"), certificateText("ca")].join("\n");
    const server = await serve("good", { cert: chain });
    const report = await (await createLook({ caFile: null }))({ host: "www.example.com", port: server.port });
    expect(report).toMatchObject({
      self_signed: false,
      error: { code: "SELF_SIGNED_CERT_IN_CHAIN" },
    });
  });

  test("counts days before the start and after the end as negative", async () => {
    const clock = createStoppedClock();
    const look = await createLook({ clock });
    const days = async (name: CertificateName) => {
      const { port } = await serve(name);
      const certificate = await look({ host: "www.example.com", port });
      return [certificate.age_days, certificate.days_left, certificate.lifetime_days];
    };
    expect(await days("expired")).toEqual([2571, -2206, 366]);
    expect(await days("early")).toEqual([-33_953, 35_779, 1827]);
  });

  test.each(["a.wild.example", "www.example.com."])("matches the host %s", async (host) => {
    const server = await serve("good");
    const report = await (await createLook())({ host, port: server.port });
    expect(report).toMatchObject({ valid: true, hostname_match: true });
  });

  test("matches an address, for which no server name is sent", async () => {
    const server = await serve("good");
    const report = await (await createLook())({ host: "127.0.0.1", port: server.port });
    expect(report).toMatchObject({ valid: true, hostname_match: true });
  });

  test("does not trust the tests' authority without the operator's file", async () => {
    const server = await serve("good");
    const report = await (await createLook({ caFile: null }))({ host: "www.example.com", port: server.port });
    expect(report).toMatchObject({ status: "ok", valid: false, chain_valid: false });
    expect(report.error?.code).toMatch(/^UNABLE_TO_/);
  });

  test("speaks the old protocols to a server that knows no other", async () => {
    const server = await serve("good", {
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const report = await (await createLook())({ host: "www.example.com", port: server.port });
    expect(report).toMatchObject({ status: "ok", protocol: "TLSv1", valid: true });
    expect(server.connections).toHaveLength(2);
  });
});

/** Of TLS 1.2, ECDHE-ECDSA-AES128-GCM-SHA256, without any extension; then an alert of the server's own. */
const HELLO_WITHOUT_EXTENSIONS = Buffer.concat([
  Buffer.from([22, 3, 3, 0, 42, 2, 0, 0, 38, 3, 3]),
  Buffer.alloc(32, 7),
  Buffer.from([0, 0xc0, 0x2b, 0]),
  Buffer.from([21, 3, 3, 0, 2, 2, 80]),
]);
const HANDSHAKE_RECORD = 22;
const ALERT_RECORD = 21;

test("TlsLook goes on, in its second look alone, with a server that knows no secure renegotiation", async () => {
  const heard: number[][] = [];
  const server = await startTcpServer({
    onConnection: (socket) => {
      const records: number[] = [];
      heard.push(records);
      socket.on("data", (octets: Buffer) => {
        if (records.length === 0) socket.write(HELLO_WITHOUT_EXTENSIONS);
        records.push(octets[0] ?? 0);
      });
      socket.on("end", () => socket.end());
    },
  });
  const report = await (await createLook())({ host: "www.example.com", port: server.port });
  expect(report).toMatchObject({ status: "error", valid: null });
  await until(() => server.open() === 0);
  expect(heard).toEqual([[HANDSHAKE_RECORD, ALERT_RECORD], [HANDSHAKE_RECORD]]);
});

describe("TlsLook without a certificate", () => {
  test.each([
    ["no_tls", "closes at once", (socket: Socket) => void socket.destroy()],
    ["no_tls", "ends at once", (socket: Socket) => void socket.end().resume()],
    ["error", "speaks something else", (socket: Socket) => void socket.end("SSH-2.0-x\r\n").resume()],
    ["error", "sends garbage", (socket: Socket) => void socket.end(Buffer.alloc(9000, 7)).resume()],
  ])("says %s when the server %s", async (status, _, onConnection) => {
    const server = await startTcpServer({ onConnection });
    const report = await (await createLook())({ host: "www.example.com", port: server.port });
    expect(report).toMatchObject({ status, valid: null, subject: null });
    expect(report.error?.code).toMatch(/^[A-Z_]+/);
    expect(report.error?.message).toBe("The handshake failed");
  });

  test("says no_tls when no server listens", async () => {
    const { port } = await startTcpServer({ host: "127.0.0.9" });
    expect(await (await createLook())({ host: "www.example.com", port })).toMatchObject({
      status: "no_tls",
      error: { code: "ECONNREFUSED" },
    });
  });

  test("says no_address of a name without any, and error of one that cannot be asked", async () => {
    const look = await createLook();
    expect(await look({ host: "nx.example" })).toMatchObject({
      status: "no_address",
      valid: null,
      subject: null,
    });
    expect(await look({ host: "a b" })).toMatchObject({ status: "error" });
  });

  test.each([CANARY_HOST, "inside.example", "localhost", "[::1]", "0x7fc80001"])(
    "says blocked of %s, and sends nothing there",
    async (host) => {
      const canary = await startCanary();
      expect(await (await createLook())({ host, port: canary.port })).toEqual({
        status: "blocked",
        ...NO_CERTIFICATE,
        error: { code: "private_address", message: "The target may not be reached" },
      });
      expect(canary.connections).toEqual([]);
    },
  );

  test("ends at its time while the handshake does not", async () => {
    const clock = createStoppedClock();
    const server = await startTcpServer();
    const pending = (await createLook({ clock }))({ host: "www.example.com", port: server.port });
    await until(() => server.connections.length === 1);
    clock.advance(5000);
    expect(await pending).toMatchObject({ status: "timeout", valid: null, subject: null });
    await until(() => server.open() === 0);
  });

  test("says error where no cipher is shared", async () => {
    const server = createServer({ ciphers: "aNULL@SECLEVEL=0", maxVersion: "TLSv1.2" });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.on("tlsClientError", () => undefined);
    const { port } = server.address() as { port: number };
    expect(await (await createLook())({ host: "www.example.com", port })).toMatchObject({ status: "error" });
  });
});
