import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const summary = (text: string, domain = "example.lab"): string => {
  const reading = parseWhois(text, domain);
  if (reading.state !== "read") return reading.state;
  const { registered, statuses } = reading.registration;
  return registered === true ? "registered" : (statuses[0] ?? "not registered");
};

describe("parseWhois() takes no vacancy from what is said of something else", () => {
  test.each([
    ["El dominio example.lab está registrado\nFax:\n  no existe"],
    ["Doména example.lab je registrována\nKeyset:\n  neexistuje"],
    ["域名 example.lab 已注册\n传真:\n  不存在"],
    ["ドメイン example.lab は登録されています\nFAX:\n  ありません"],
    ["Nom: example.lab\nTitulaire: Joe\nDNSSEC\n  introuvable"],
    ["Legende:\n frei\n vergeben\nexample.lab: vergeben"],
    ["% Estados posibles:\n%  libre\n%  ocupado\n% Dominio example.lab: ocupado"],
    ["状态说明:\n未注册\n已注册\n\nexample.lab: 已注册"],
    ["Домен example.lab занят\nПохожие домены:\nexample2.lab\nсвободен"],
    ["Domain example.lab ist bereits vergeben.\n\nAlternativen:\nexample.net\nfrei"],
    ["Abfrage: other.lab\nfrei"],
    ["Domain example.lab is registered\nFax:\n  not found"],
    ["Domain example.lab is taken\n\nNo match"],
    ["Domain: example.lab\nFax:\n  not found"],
    ["Domain: example.lab\nNameserver:\n  not found"],
    ["Domain: example.lab\nFax: nicht gefunden\nnicht gefunden"],
    ["Domain: other.lab\nneexistuje"],
    ["Reserved: example.lab\n未注册"],
    ["Zone:\n  neexistuje"],
    ["% frei\n% vergeben"],
    ["Domain: example.lab\nStatus: in use\nNo match"],
    ["Estado: registrado\nNot found"],
    ["Статус: занят\nNot found"],
    ["Status: vyhrazeno\nNo match"],
    ["Available: no\nNot found"],
    ["Domain example.lab is not available\nNot found"],
    ["Domain example.lab is locked\nNot found"],
    ["Домен example.lab зарезервирован\nNo match"],
    ["Domain example.lab befindet sich in Quarantäne\nNot found"],
    ["Possible states:\n- free\n- registered"],
    ["Free\nRegistered"],
    ["Similar names:\nexample2.lab\nfree"],
  ])("%j", (text) => {
    expect(summary(`${text}\n`)).toBe("unreadable");
  });

  test.each([
    ["未注册"],
    ["Free"],
    ["Dominio: example.lab\nEstado: libre"],
    ["The domain name you have requested was not found"],
    ["Whois lookup for example.lab\nDomain name not found"],
    ["Domain: example.lab\n\n未注册"],
    ["example.lab\nneexistuje"],
    ["% Whois\n\nfrei"],
    ["Domain: example.lab\nMessage: nicht gefunden"],
    ["Domain: example.lab\nStatus: frei"],
    ["Domain: example.lab\nMessage: Domain nicht gefunden"],
  ])("but from %j", (text) => {
    expect(summary(`${text}\n`)).toBe("not registered");
  });
});

describe("parseWhois() takes no vacancy from an answer that says more in another language", () => {
  test.each([
    ["Teie päringute arv on ületatud\nDomeeni ei leitud"],
    ["Pieprasījumu limits pārsniegts\nDomēns nav atrasts"],
    ["Užklausų limitas viršytas\nDomenas nerastas"],
    ["Bạn đã vượt quá giới hạn truy vấn\nTên miền không tồn tại"],
    ["Batas kueri terlampaui\nDomain tidak ditemukan"],
    ["Υπέρβαση ορίου ερωτημάτων\nΤο όνομα χώρου δεν βρέθηκε"],
    ["Твърде много заявки\nДомейн не съществува"],
    ["Previše upita\nDomena ne postoji"],
    ["Preveč poizvedb\nDomena ne obstaja"],
    ["Надто багато запитів\nДомен не знайдено"],
    ["Внутренняя ошибка сервера\nДомен не найден"],
    ["Ошибка базы данных. Домен не найден"],
    ["Wewnętrzny błąd serwera\nDomena nie istnieje"],
    ["系统错误\n域名不存在"],
    ["データベースエラー\n登録されていません"],
    ["Sunucu hatası\nAlan adı bulunamadı"],
    ["Errore interno del server\nDominio non trovato"],
    ["Databasefout. Domein niet gevonden"],
    ["Base de données en maintenance\nDomaine introuvable"],
    ["Domeeni ei leitud\n\nTeie päringute arv on ületatud"],
    ["Message: Sunucu hatası\nMessage: Alan adı bulunamadı"],
    ["Домен example.lab находится в стоп-листе. Домен не зарегистрирован"],
    ["Домен example.lab освобождается. Домен не найден"],
    ["Domena example.lab jest zarezerwowana.\nDomena nie istnieje"],
    ["Domena w kwarantannie\nDomena nie jest zarejestrowana"],
    ["Status: réservé\nDomaine introuvable"],
    ["Stato: riservato\nDominio non trovato"],
    ["Status: free until 2027"],
    ["Domain: example.lab\nStatus: available (from 2027)"],
    ["Estado: disponible a partir del 2027\nDominio: example.lab"],
  ])("%j", (text) => {
    expect(["unreadable", "refused"]).toContain(summary(`${text}\n`));
  });
});

describe("parseWhois() takes no vacancy from a sentence with a later date, a doubt or a question", () => {
  test.each([
    ["El dominio example.lab no se encuentra actualmente disponible."],
    ["El dominio example.lab no está actualmente disponible"],
    ["O domínio example.lab não está mais disponível."],
    ["Le domaine example.lab n'est pas encore disponible."],
    ["Le domaine example.lab n'est pas actuellement disponible."],
    ["Le domaine example.lab sera bientôt disponible."],
    ["El dominio example.lab, desde el 1 de enero de 2027, estará disponible."],
    ["Le domaine example.lab sera, à partir du 15.01.2027, disponible."],
    ["Die Domain example.lab ist frei, sobald die Karenzzeit endet."],
    ["Die Domain example.lab ist frei (ab 15.01.2027)."],
    ["Le domaine example.lab est enregistré (titulaire inconnu)."],
    ["El dominio example.lab está registrado pero el contacto no existe."],
    ["Domain example.lab ist registriert, Inhaberdaten wurden nicht gefunden."],
    ["No existe el fax del titular"],
    ["Aucun objet de type personne"],
    ["Keine Daten zum Inhaber"],
    ["Nessun risultato per il contatto"],
    ["example.lab no existe en la copia local"],
    ["example.lab is free until 2027"],
    ["Domain example.lab is free, once its quarantine ends"],
    ["The domain example.lab will soon be available for registration"],
    ["Domain example.lab is free (2027-01-15)"],
    ["Domain example.lab is free starting 2027-01-15"],
    ["Domain example.lab will become available for registration"],
    ["Domain example.lab not registered until 2020"],
    ["Not found on this server"],
    ["Domain example.lab is registered and its contact was not found"],
    ["Domain example.lab has a holder that was not found"],
    ["¿Está libre el dominio?\nConsulte https://www.nic.lab"],
    ["Este dominio está libre?"],
    ["Ist frei die Domain? Domain frei? Besuchen Sie www.nic.lab"],
    ["Domaine disponible ? Vérifiez sur www.nic.lab"],
    ["域名未注册？"],
    ["Domain not found?"],
    ["Is free? See www.nic.lab"],
    ["Domain: example.lab\nStatus: free?"],
  ])("%j", (text) => {
    expect(summary(`${text}\n`)).toBe("unreadable");
  });

  test.each([
    ["El dominio example.lab no existe"],
    ["example.lab no existe"],
    ["Le domaine example.lab est inconnu"],
    ["El dominio no se encuentra registrado en NIC Argentina"],
    ["Die Domain example.lab ist noch frei"],
    ["Kein Eintrag gefunden"],
    ["Aucun objet trouvé"],
    ["No se encontraron datos"],
    ["No match, see https://nic.lab/whois?name=example.lab"],
    ["[Domain]\nDomain: example.lab\nStatus: free\n\n[Whois]\nUpdated: 2026-11-29T10:00:00+00:00"],
  ])("but from %j", (text) => {
    expect(summary(`${text}\n`)).toBe("not registered");
  });
});

test.each([
  ["comments", "No match found for keyword; see below\n", "% Terms of use\n".repeat(4000)],
  ["blanks", "No match\n", " ".repeat(60_000)],
  ["empty lines", "No match for example.lab\n", "\n".repeat(5000)],
])("an answer that goes on behind what is read, after %s, tells no vacancy", (_, vacancy, filling) => {
  expect(summary(vacancy)).toBe("not registered");
  expect(summary(vacancy + filling)).toBe("unreadable");
});

describe("parseWhois() of what is available", () => {
  test.each([
    ["Domain: example.lab\nStatus: registered\n\nRDAP:\n Available: yes", "registered"],
    ["Domain: example.lab\nHolder: Joe\nWhois privacy\n  Available: yes", "registered"],
    ["Domain: example.lab\n\nPrivacy service:\n  Available: yes", "unreadable"],
    ["Domain: example.lab\nBackorder:\n Available: true\nTransfer: allowed", "unreadable"],
    ["Available: yes\nName: other.lab", "unreadable"],
    ["available: true\nerror: true\ndomain: example.lab", "unreadable"],
    ["Available: yes\nTier: premium", "unreadable"],
    ["Domain: example.lab\n\nRDAP:\n  Status: available", "unreadable"],
    ["Domain: example.lab\n\nDomain privacy:\n  Available: yes", "unreadable"],
    ["domain: example.lab\navailable: true", "not registered"],
    ["Domain Information\nDomain: example.lab\nAvailable: yes", "not registered"],
  ])("%j: %s", (text, state) => {
    expect(summary(`${text}\n`)).toBe(state);
  });
});
