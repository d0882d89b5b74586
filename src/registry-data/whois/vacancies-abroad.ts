import { folded } from "./folded.ts";

/** What is said to be vacant, `domain` beside, and behind the colon that it is; the languages of a region in each line. */
const WRITTEN: readonly string[] = [
  // English, of which longer sentences are known too
  "domain: available, free, unregistered, nonexistent",
  // Spanish
  "dominio, el dominio, este dominio, nombre de dominio, el nombre de dominio: no existe, no está registrado, no se encuentra registrado, no se encuentra registrado en nic argentina, no registrado, no encontrado, no fue encontrado, no se encontró, está disponible, disponible, está libre, libre",
  // Portuguese
  "domínio, o domínio, este domínio, nome de domínio, o nome de domínio: não existe, não está registrado, não está registado, não registrado, não registado, não encontrado, não foi encontrado, está disponível, disponível, está livre, livre",
  // French
  "domaine, le domaine, ce domaine, nom de domaine, le nom de domaine, ce nom de domaine: n'existe pas, n'est pas enregistré, non enregistré, non trouvé, introuvable, inexistant, est inexistant, inconnu, est inconnu, est disponible, disponible, est libre, libre",
  // German
  "domain, die domain, diese domain, domäne, die domäne, der domainname: existiert nicht, ist nicht registriert, nicht registriert, wurde nicht gefunden, nicht gefunden, ist nicht vergeben, nicht vergeben, ist verfügbar, verfügbar, ist frei, ist noch frei, frei",
  // What was not found in Spanish, Portuguese, French, German, Italian and Hungarian
  "información, datos, resultados, el objeto, dados: no se encontró, no se ha encontrado, no se encontraron, no hay, não há",
  "trouvé, trouvée: aucun objet, aucun domaine, aucun enregistrement, aucun résultat, aucune correspondance",
  "gefunden, vorhanden: kein eintrag, keine einträge, keine treffer, keine daten",
  "trovato: nessun dominio, nessun oggetto, nessun risultato, nincs találat, nincs találat / no match",
  // Italian
  "dominio, il dominio, questo dominio, nome a dominio, il nome a dominio: non esiste, non è registrato, non registrato, non trovato, non è stato trovato, è disponibile, disponibile, è libero, libero",
  // Dutch
  "domein, het domein, dit domein, domeinnaam, de domeinnaam, deze domeinnaam: bestaat niet, is niet geregistreerd, niet geregistreerd, niet gevonden, is vrij, vrij, is beschikbaar, beschikbaar",
  // Swedish, Danish, Norwegian
  "domänen, domännamnet, domäne, domænet, domænenavnet, domenet, domenenavnet: finns inte, hittades inte, är inte registrerad, är inte registrerat, är ledig, är ledigt, findes ikke, er ikke registreret, er ledigt, finnes ikke, er ikke registrert, er ledig",
  // Finnish, Estonian, Latvian, Lithuanian
  "verkkotunnus, verkkotunnusta, domeen, domeeni, domeeninimi, domēns, domēna vārds, domenas: ei löydy, ei löytynyt, ei ole rekisteröity, on vapaa, ei ole registreeritud, ei leitud, on vaba, nav reģistrēts, nav atrasts, ir brīvs, neregistruotas, nerastas, laisvas",
  // Polish
  "domena, domeny, ta domena, nazwa domeny: nie istnieje, nie jest zarejestrowana, nie została zarejestrowana, nie została znaleziona, nie znaleziono, jest wolna, wolna, jest dostępna, dostępna",
  // Czech, Slovak
  "doména, domény, tato doména, doménové jméno: neexistuje, není registrována, není zaregistrována, nenalezena, nebyla nalezena, je volná, volná, nie je registrovaná, nebola nájdená, je voľná, voľná",
  // Croatian, Serbian, Slovenian
  "domena, domen, naziv domene, naziv domena: ne postoji, nije registrirana, nije registrovan, nije pronađena, nije pronađen, je slobodna, je slobodan, ne obstaja, ni registrirana, je prosta",
  // Hungarian, Romanian
  "a domain, domain, a domén, domeniul, domeniu, numele de domeniu: nem található, nem létezik, nincs regisztrálva, szabad, nu există, nu este înregistrat, nu a fost găsit, este liber, este disponibil, disponibil",
  // Turkish
  "alan adı, bu alan adı, domain: bulunamadı, kayıtlı değil, kayıtlı değildir, kayıt edilmemiş, tescilli değil, müsait, boşta",
  // Russian, Bulgarian
  "домен, доменное имя, данный домен, данное доменное имя, этот домен, домейн, домейнът: не существует, не зарегистрирован, не зарегистрировано, не найден, не найдено, свободен, свободно, доступен для регистрации, доступно для регистрации, не съществува, не е регистриран",
  // Ukrainian
  "домен, доменне ім'я, цей домен: не існує, не зареєстрований, не зареєстровано, не знайдено, вільний, вільне, доступний для реєстрації",
  // Greek
  "το όνομα χώρου, όνομα χώρου: δεν υπάρχει, δεν βρέθηκε, δεν είναι καταχωρημένο, είναι διαθέσιμο",
  // Indonesian, Vietnamese
  "domain, nama domain, tên miền: tidak ditemukan, belum terdaftar, tidak terdaftar, tersedia, không tồn tại, chưa được đăng ký, chưa đăng ký",
  // Chinese
  "域名, 该域名, 此域名, 您查询的域名, 所查询的域名, 網域, 網域名稱, 該網域名稱, 此網域名稱: 未注册, 尚未注册, 未被注册, 没有注册, 不存在, 未找到, 没有找到, 找不到, 可以注册, 可注册, 未註冊, 尚未註冊, 無此, 查無此, 查無",
  // Japanese
  "ドメイン, ドメイン名, このドメイン, ドメインは, ドメイン名は, ドメインが, このドメインは, 該当するデータが, 該当するドメインが: 登録されていません, 未登録です, 未登録, 見つかりません, 見つかりませんでした, 存在しません, ありません",
  // Korean
  "도메인, 도메인이름, 도메인은, 위의 도메인은, 위의 도메인이름은, 해당 도메인은, 해당 도메인이: 등록되어 있지 않습니다, 등록되지 않았습니다, 존재하지 않습니다, 찾을 수 없습니다",
  "도메인입니다: 등록되지 않은",
];

/** By letters and digits alone, as they are compared. */
const lettersOf = (plain: string): string => plain.replaceAll("ı", "i").replace(/[^\p{L}\p{N}]/gu, "");

/** What says it whole, and what says it of the one thing that an answer is about. */
const WITH_SUBJECT = new Set<string>();
const BARE = new Set<string>();
for (const line of WRITTEN) {
  const [subjects = [], predicates = []] = line
    .split(": ")
    .map((list) => list.split(", ").map(folded).map(lettersOf));
  for (const predicate of predicates) {
    BARE.add(predicate);
    for (const subject of ["domain", ...subjects]) {
      WITH_SUBJECT.add(subject + predicate).add(predicate + subject);
    }
  }
}

/** A longer sentence says more than that. */
const MAX_LENGTH = 200;

/**
 * Whether a sentence, folded as `plainSentence` has it and without names of domains, says in another language than English that
 * a domain is not registered, and nothing else. `bare`: it names no subject, and may be about anything. Null: neither.
 */
export function vacancyAbroad(plain: string): "whole" | "bare" | null {
  if (plain.length > MAX_LENGTH) return null;
  const letters = lettersOf(plain);
  return WITH_SUBJECT.has(letters) ? "whole" : BARE.has(letters) ? "bare" : null;
}
