import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const DOMAIN = "example.lab";

function stateOf(text: string): string {
  const reading = parseWhois(text, DOMAIN);
  if (reading.state !== "read") return reading.state;
  return reading.registration.registered === true ? "registered" : "not registered";
}

describe("parseWhois() of a record with labels in another language", () => {
  test.each([
    [
      "Nombre de dominio, Fecha de creación, Última modificación, Fecha de expiración, Registrador, Servidor de nombres",
    ],
    ["Dominio, Creado, Actualizado, Expira, Registrador, Servidores de nombres"],
    [
      "Dominio, Fecha de registro, Fecha de modificación, Fecha de caducidad, Entidad registradora, Servidor de nombre",
    ],
    [
      "Nome de domínio, Data de criação, Data de atualização, Data de expiração, Entidade registradora, Servidor de nomes",
    ],
    ["Domínio, Criado em, Última atualização, Expira em, Registrar, Servidores de nome"],
    ["Nom de domaine, Créé le, Modifié le, Expire le, Registraire, Serveur DNS"],
    [
      "Domaine, Date d'enregistrement, Date de mise à jour, Date d’échéance, Bureau d'enregistrement, Serveurs DNS",
    ],
    ["Domäne, Registriert am, Geändert am, Läuft ab am, Registrierungsstelle, Nameserver"],
    ["Domain, Erstellungsdatum, Letzte Änderung, Gültig bis, Registrar, Namensserver"],
    ["Nome a dominio, Data di creazione, Ultimo aggiornamento, Data di scadenza, Registrar, Server dei nomi"],
    ["Nazwa domeny, Utworzono, Ostatnia modyfikacja, Data wygaśnięcia, Rejestrator, Serwery nazw"],
    ["Doména, Vytvořeno, Změněno, Expirace, Registrátor, Jmenný server"],
    ["Domeniu, Data înregistrării, Ultima actualizare, Data expirării, Registrator, Server de nume"],
    ["Alan Adı, Oluşturulma Tarihi, Güncelleme Tarihi, Bitiş Tarihi, Kayıt Kuruluşu, Alan Adı Sunucusu"],
    ["ALAN ADI, KAYIT TARİHİ, SON GÜNCELLEME, SON KULLANMA TARİHİ, KAYIT OPERATÖRÜ, AD SUNUCUSU"],
    ["Domeinnaam, Registratiedatum, Laatst gewijzigd, Vervaldatum, Registrar, Naamserver"],
    ["Domännamn, Skapad, Ändrad, Utgår, Registrar, Namnserver"],
    ["Домен, Дата создания, Дата изменения, Дата окончания, Регистратор, Сервер имён"],
    ["Домен, Дата створення, Дата зміни, Дата закінчення, Реєстратор, Сервер імен"],
    ["Nama Domain, Tanggal dibuat, Tanggal diubah, Tanggal kedaluwarsa, Registrar, Server nama"],
    ["域名, 注册时间, 更新时间, 到期时间, 注册商, 域名服务器"],
    ["網域名稱, 註冊日期, 更新日期, 到期日期, 受理註冊機構, 名稱伺服器"],
    ["ドメイン名, 登録年月日, 最終更新, 有効期限, 登録業者, ネームサーバ"],
    ["도메인이름, 등록일, 최근 정보 변경일, 사용 종료일, 등록대행자, 네임서버"],
    [
      "Domain Name, Date of registration, Date of last change, Date of expiry, Registrar of record, Third Server",
    ],
    ["DomainName, CreationDate, UpdatedDate, ExpirationDate, RegistrarName, NameServer"],
    ["domain, date_approved, changed_date, date_renewal, registrar, ns1_hostname"],
  ])("%s", (labels) => {
    const values = [DOMAIN, "2003-01-15", "2024-03-21", "2027-05-31", "Lab Registrar", "ns1.example.com"];
    for (const colon of [": ", "：", ":\t", ".....: "]) {
      const text = labels.split(", ").map((label, i) => `${label}${colon}${values[i]}\n`);
      expect(parseWhois(text.join(""), DOMAIN)).toMatchObject({
        registration: {
          creationDate: "2003-01-15T00:00:00Z",
          updatedDate: "2024-03-21T00:00:00Z",
          expirationDate: "2027-05-31T00:00:00Z",
          registrar: { name: "Lab Registrar" },
          nameServers: ["ns1.example.com"],
        },
      });
    }
  });

  test("takes the English statements of an answer in two languages", () => {
    const text =
      "도메인이름: example.lab\n등록대행자: (주)실험\n\n# ENGLISH\n\nDomain Name: example.lab\nRegistrar: Lab\n";
    expect(parseWhois(text, DOMAIN)).toMatchObject({ registration: { registrar: { name: "Lab" } } });
  });
});

const VACANT: readonly string[] = [
  "El dominio example.lab no está registrado",
  "DOMINIO DISPONIBLE",
  "O domínio example.lab não existe.",
  "Domínio não encontrado",
  "Le domaine example.lab est disponible",
  "Nom de domaine introuvable",
  "Die Domain example.lab ist verfügbar",
  "Domäne nicht gefunden",
  "Il dominio example.lab non è registrato",
  "Dominio non trovato",
  "Het domein example.lab is vrij",
  "example.lab is vrij",
  "Domänen finns inte",
  "Verkkotunnusta ei löydy",
  "Domena example.lab nie istnieje",
  "Domena jest wolna",
  "Nie znaleziono domeny",
  "Doména nebyla nalezena",
  "Domain example.lab nebyla nalezena",
  "Domen ne postoji",
  "Domeniul nu este înregistrat",
  "Alan adı bulunamadı",
  "Bu alan adı kayıtlı değil",
  "Доменное имя не зарегистрировано",
  "Домен example.lab свободен",
  "Домен не знайдено",
  "域名未注册",
  "没有找到该域名",
  "無此網域",
  "ドメインが見つかりません",
  "該当するデータがありません",
  "등록되지 않은 도메인입니다",
  "위의 도메인이름은 등록되어 있지 않습니다.",
];

describe("parseWhois() of a vacancy in another language", () => {
  test.each(VACANT)("takes %j for one", (sentence) => {
    expect(stateOf(`${sentence}\n`)).toBe("not registered");
    expect(stateOf(`% Aviso\n%% ${sentence}!\r\n`)).toBe("not registered");
  });

  test.each([
    ["El dominio no está disponible"],
    ["El dominio other.lab no está registrado"],
    ["Le domaine n'est pas disponible"],
    ["Die Domain ist vergeben"],
    ["Die Domain ist nicht frei"],
    ["Domena jest zajęta"],
    ["Bu alan adı kayıtlıdır"],
    ["Домен зарегистрирован"],
    ["Домен занят"],
    ["Сервер не найден"],
    ["域名已被注册"],
    ["既に登録されています"],
    ["이미 등록된 도메인입니다"],
    ["保留域名"],
    ["El dominio no se encuentra disponible"],
    ["Die Domain ist nicht mehr frei"],
    ["Die Domain ist frei ab 2027"],
    ["Le domaine est disponible aux enchères"],
    ["Dominio disponible a partir del 2027-01-01"],
    ["Domínio disponível para transferência"],
  ])("takes %j for none", (sentence) => {
    expect(stateOf(`${sentence}\n`)).not.toBe("not registered");
  });

  test("takes no sentence for one that says more than that", () => {
    const word = fc.stringMatching(/^[a-z]{4,9}$/).filter((text) => text !== "domain");
    fc.assert(
      fc.property(fc.constantFrom(...VACANT), word, fc.boolean(), (sentence, other, isBefore) => {
        const bare = sentence.replace(/[.!]$/, "");
        const text = isBefore ? `${other} ${bare}` : `${bare} ${other}`;
        expect([text, stateOf(text)]).toEqual([text, "unreadable"]);
      }),
    );
  });
});

describe("parseWhois() of what is in place of the holder", () => {
  test.each([
    ["Restricted"],
    ["No divulgado"],
    ["Não divulgado"],
    ["Non divulgué"],
    ["Non divulgato"],
    ["Nicht offengelegt"],
    ["Daten geschützt"],
    ["Nie ujawniono"],
    ["受保护"],
    ["보호됨"],
  ])("takes %j for a redaction", (text) => {
    const answer = `Domain: example.lab\nCreated: 2003-01-15\nRegistrant Name: ${text}\n`;
    expect(parseWhois(answer, DOMAIN)).toMatchObject({
      registration: { registrant: { name: null }, privacyProtected: true },
    });
    const longer = parseWhois(answer.replace(text, `${text} Bank`), DOMAIN);
    expect(longer).toMatchObject({ registration: { privacyProtected: false } });
  });
});
