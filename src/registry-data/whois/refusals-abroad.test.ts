import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const stateOf = (text: string): string => parseWhois(text, "example.lab", "whois.lab").state;
const isFree = (text: string): boolean => {
  const reading = parseWhois(text, "example.lab", "whois.lab");
  return reading.state === "read" && reading.registration.registered === false;
};

describe("parseWhois() of a refusal in another language", () => {
  test.each([
    [
      "German",
      ["% Zugriff verweigert", "Sie haben zu viele Abfragen gestellt.", "Das Abfragelimit ist erreicht!"],
    ],
    ["Dutch", ["Te veel verzoeken, probeer het later opnieuw", "Limiet overschreden"]],
    ["Swedish", ["För många förfrågningar från din adress", "Åtkomst nekad"]],
    ["French", ["% Accès refusé", "Trop de requêtes. Réessayez dans 5 minutes.", "Quota dépassé"]],
    ["Spanish", ["Demasiadas peticiones", "Error: Acceso denegado a su IP", "Espere 30 segundos"]],
    ["Portuguese", ["Muitas requisições, aguarde um minuto", "Acesso recusado", "Cota esgotada"]],
    ["Italian", ["Troppe interrogazioni", "Accesso negato.", "Numero massimo di richieste raggiunto"]],
    ["Russian", ["Доступ запрещён", "Слишком много запросов", "% Лимит исчерпан", "Повторите попытку позже"]],
    ["Ukrainian", ["Перевищено кількість запитів", "Ваш доступ обмежено"]],
    ["Polish", ["Przekroczono limit", "Zbyt wiele zapytań", "Odmowa dostępu", "Spróbuj ponownie później"]],
    ["Czech", ["Překročen limit dotazů", "Příliš mnoho požadavků"]],
    ["Turkish", ["Sorgu sınırını aştınız", "Çok fazla istek", "IP adresiniz engellenmiştir"]],
    ["Chinese", ["查询次数超过限制", "您的 IP 已被封禁", "請求過多，請稍後再試", "系统繁忙"]],
    [
      "Japanese",
      ["検索回数の上限に達しました。", "アクセスが拒否されました", "しばらくしてから再度お試しください"],
    ],
    ["Korean", ["조회 한도를 초과했습니다", "접속이 차단되었습니다", "잠시 후 다시 시도해 주십시오"]],
    ["Estonian", ["Teie päringute arv on ületatud", "Liiga palju päringuid"]],
    ["Latvian", ["Pieprasījumu limits pārsniegts", "Pārāk daudz vaicājumu"]],
    ["Lithuanian", ["Užklausų limitas viršytas", "Per daug užklausų"]],
    ["Croatian, Serbian", ["Previše upita", "Prekoračen broj zahteva"]],
    ["Slovenian", ["Preveč poizvedb", "Presežena kvota poizvedb"]],
    ["Bulgarian", ["Твърде много заявки"]],
    ["Greek", ["Υπέρβαση ορίου ερωτημάτων", "Πάρα πολλά αιτήματα"]],
    ["Indonesian", ["Batas kueri terlampaui", "Terlalu banyak permintaan"]],
    ["Vietnamese", ["Bạn đã vượt quá giới hạn truy vấn", "Quá nhiều yêu cầu"]],
  ])("%s", (_language, sentences) => {
    expect(sentences.filter((sentence) => stateOf(`${sentence}\n`) !== "refused")).toEqual([]);
  });

  test.each([
    ["Zu viele Anfragen. Domain example.lab nicht gefunden."],
    ["Nombre de requêtes dépassé\n\nLe domaine example.lab est inconnu"],
    ["El dominio example.lab no existe\n% Acceso denegado"],
    ["Превышен лимит запросов\n\nNo entries found"],
    ["查询过于频繁\nNo match for example.lab"],
    ["% Внутренняя ошибка сервера\n% Домен не найден"],
    ["Ошибка базы данных. No match for example.lab"],
    ["Wewnętrzny błąd serwera\nNo match for example.lab"],
    ["系统错误\n% No match"],
    ["データベースエラー\nNo match"],
    ["Sunucu hatası\nNo match"],
    ["Base de données en maintenance\nNo match"],
    ["Previše upita\nNot found"],
  ])("goes before a vacancy beside it: %j", (text) => {
    expect(stateOf(`${text}\n`)).toBe("refused");
  });

  test.each([
    ["% Zu viele Anfragen können zur Sperre führen, der Zugriff wird dann verweigert."],
    ["% Le nombre de requêtes est limité; si la limite est atteinte, l'accès sera bloqué."],
    ["% Se o limite de consultas for ultrapassado, o acesso pode ficar bloqueado."],
    ["% При превышении лимита запросов доступ будет ограничен."],
    ["% Po przekroczeniu limitu zapytań dostęp zostanie zablokowany."],
    ["% 如果查询次数超过限制，访问将被拒绝。"],
    ["% 検索回数の上限を超えた場合、アクセスが制限されることがあります。"],
    ["% 조회 한도를 초과하는 경우 접속이 차단될 수 있습니다."],
    ["% Če je presežena kvota poizvedb, dostop ni mogoč."],
    ["% Ako je previše upita, pristup se ograničava."],
    ["% Jika batas kueri terlampaui, akses ditutup."],
    ["% The systems of this database are provided without warranty of being free from errors."],
    ["% limit-erreicht.lab, zugriff-gesperrt.lab"],
  ])("is not what a term of use says: %j", (terms) => {
    expect(isFree(`${terms}\n\nNo match for example.lab\n`)).toBe(true);
  });
});
