import { folded } from "./folded.ts";

/** Of what (`Anfragen`), and behind the colon what became of it (`überschritten`): a refusal has a stem of each. */
const WRITTEN: readonly string[] = [
  // German
  "limit, anzahl, anfragen, abfragen, kontingent: überschritten, erreicht, ausgeschöpft, erschöpft",
  "zu viele, zu häufig, zu schnell: fragen, abgefragt, verbindungen, zugriffe",
  "zugriff, zugang, anfrage, abfrage, verbindung, adresse: verweigert, gesperrt, blockiert, abgelehnt, untersagt",
  "warten sie, versuchen sie: sekunde, minute, später",
  // Dutch
  "limiet, aantal, quotum: overschreden, bereikt",
  "te veel: verzoeken, aanvragen, verbindingen, query",
  "toegang, adres, verzoek: geweigerd, geblokkeerd",
  "probeer het: later, opnieuw",
  // Swedish, Danish, Norwegian
  "för många, for mange, for många: förfråg, forespørs, forespors, frågor",
  "åtkomst, adgang, tilgang, adress: nekad, nekas, nægtet, nektet, blockerad, blokeret, blokkert",
  "gränsen, grænsen, grensen, kvot: överskrid, överskred, overskred, nådd, nået",
  // French
  "limite, quota, nombre, maximum, requetes: dépass, atteint, épuis",
  "trop de: requêtes, demandes, connexions, interrogations",
  "accès, requête, connexion, adresse ip: refusé, bloqué, interdit, rejeté, suspendu",
  "patienter, attendre, attendez, réessay: seconde, minute, plus tard, instant",
  "service, serveur: temporairement indisponible, momentanément indisponible, surchargé",
  // Spanish and Portuguese
  "límite, cuota, cota, quota, máximo, máxima, número de: excedi, excedeu, superó, superou, superad, superaron, sobrepas, alcanz, alcançou, ating, ultrapass, esgot, agotad",
  "demasiad, muitas, muitos, excesso de, exceso de: consultas, solicitudes, solicitações, peticiones, requisições, conexiones, conexões",
  "acceso, acesso, consulta, conexión, conexão: denegad, negado, recusad, bloquead, prohibido, proibido",
  "espere, aguarde, inténtelo, intente, tente: segundo, minuto, más tarde, mais tarde",
  "servicio, serviço, servidor: no disponible temporalmente, temporalmente no disponible, temporariamente indisponível, sobrecargado, sobrecarregado",
  // Italian
  "limite, quota, numero massimo, soglia: superat, raggiunt, esaurit",
  "troppe, troppi: richieste, interrogazioni, connessioni, accessi",
  "accesso, indirizzo, richiesta, connessione: negat, bloccat, rifiutat, vietat",
  "attendere, attendi, riprova: second, minut, più tardi",
  // Romanian
  "limita, limită, numărul: depășit, atins",
  "prea multe: cereri, interogări, conexiuni",
  "acces, adresa: interzis, refuzat, blocat",
  // Russian and Ukrainian
  "лимит, ліміт, количеств, кількіст, число, квот: превышен, перевищен, исчерпан, вичерпан",
  "слишком много, слишком часто, занадто багато, надто багато, забагато: запрос, запит, соединен, подключен, обращен",
  "доступ, адрес, запрос, запит, соединен: запрещен, заблокирован, отклонен, ограничен, заборонен, заблокован, відхилен, обмежен, отказано",
  "повторите, попробуйте, подождите, спробуйте, зачекайте: позже, позднее, пізніше, секунд, минут, хвилин",
  // Polish
  "limit, liczb: przekrocz, wyczerpan, osiągnięt",
  "zbyt wiele, zbyt dużo, za dużo: zapyta, żąda, połącze",
  "dostęp, adres, zapytanie, połączenie: zabronion, zablokowan, odrzucon, odmow",
  "odmowa: dostępu",
  "spróbuj, poczekaj, odczekaj: później, sekund, minut",
  // Czech and Slovak
  "limit, počet: překroč, prekroč, vyčerp",
  "příliš mnoho, príliš veľa: dotaz, požadav, požiadav, spojen",
  "přístup, prístup, adresa: odepřen, odmietnut, zakázán, zakázan, zablokov, blokov",
  // Hungarian, Finnish
  "túl sok: lekérdez, kérés, kapcsolat",
  "hozzáférés, cím: megtagadva, letiltva, elutasítva",
  "liian monta, liikaa: kysely, pyyn, yhtey",
  "pääsy, osoite: estetty, evätty",
  // Estonian, Latvian, Lithuanian
  "liiga palju, päringu, pieprasījum, vaicājum, užklaus: päringu, ületatud, pārsniegt, pārāk daudz, viršyt, per daug",
  // Croatian, Serbian, Slovenian
  "previše, prekoračen, preveč, presežen: upit, zahtjev, zahtev, poizvedb",
  // Bulgarian, Greek
  "твърде много, превишен, υπέρβαση, πάρα πολλά: заявк, запитван, ορίου, ερωτήματ, αιτήματ",
  // Indonesian, Vietnamese
  "batas, kuota, terlalu banyak, quá giới hạn, quá nhiều: terlampaui, kueri, permintaan, truy vấn, yêu cầu",
  // Turkish
  "limit, sınır, kota, sorgu: aşıldı, aştınız, aşılmış, doldu",
  "çok fazla, çok sayıda: sorgu, istek, bağlantı",
  "erişim, adres, sorgu, bağlantı: engellen, engelli, reddedil, yasaklan, kısıtlan",
  "daha sonra, saniye, dakika: deneyin, bekleyin",
  // Chinese
  "查询, 查詢, 请求, 請求, 访问, 訪問, 操作, 次数, 次數: 频繁, 頻繁, 过多, 過多, 超过, 超過, 超出, 上限, 受限, 被限制",
  "访问, 訪問, 存取, 连接, 連線, ip, 请求, 請求: 拒绝, 拒絕, 禁止, 封禁, 封鎖, 屏蔽",
  "稍后, 稍後, 稍候: 再试, 再試, 重试, 重試, 查询, 查詢",
  "服务, 服務, 系统, 系統: 暂不可用, 暫不可用, 繁忙, 暂时不可用, 暫時無法",
  // Japanese
  "回数, 件数, 上限, 制限, リクエスト, 検索: 超え, 超過, 達し, 多すぎ",
  "アクセス, 接続, 検索, リクエスト: 拒否, 禁止, 制限中, 制限され, 遮断",
  "しばらく, 時間をおいて, 後ほど: お試し, 再度, お待ち",
  "サーバ, システム, ただいま, 現在, 混: 混雑, 混み合",
  // Korean
  "횟수, 조회, 요청, 질의, 한도, 제한: 초과, 너무 많",
  "접근, 접속, ip, 요청, 조회, 질의: 거부, 차단, 제한되",
  "잠시 후, 나중에: 다시, 시도",
  // A server that failed, by scripts
  "server, serwer, sunucu, databas, base de données, baz, system, sistem: fehler, fout, erreur, errore, en maintenance, błąd, chyba, greška, napaka, hatası, eroare, virhe",
  "сервер, баз, систем: ошибк, сбой, помилк, збій, грешк",
  "系统, 系統, 服务器, 伺服器, 数据库, 資料庫, サーバ, システム, データベース: 错误, 錯誤, 故障, 维护, 維護, エラー, 障害, メンテナンス",
  "서버, 시스템, 데이터베이스: 오류, 장애, 점검",
];

/** What makes of it a term of use: a condition, a possibility or what is to come. */
const CONDITIONS: readonly string[] = [
  "wenn, falls, kann, können, wird, werden, bei, mag, kan, indien, als, wordt, worden, om, kommer, vil",
  "si, peut, peuvent, sera, seront, lorsque, pourra, puede, pueden, será, serán, podrá, caso, se, pode",
  "podem, serão, poderá, può, possono, verrà, sarà, dacă, poate, если, при, может, могут, будет, будут",
  "якщо, може, можуть, буде, будуть, jeśli, jeżeli, gdy, może, mogą, zostanie, zostaną, pokud, může, bude",
  "budou, ak, môže, ha, jos, durumunda, halinde, edilebilir, olabilir, edilecektir, engellenebilir",
  "engellenecektir, kui, ja, jei, ako, če, ако, εάν, αν, jika, apabila, nếu",
];
/** The same in scripts that set no space between words. */
const JOINED_CONDITIONS: readonly string[] = [
  "如果, 如有, 若, 可能, 将会, 將會, 将被, 將被, 场合, 場合, ことがあり, 可能性, 경우, 수 있",
];

const stemsOf = (list: string): readonly string[] => folded(list).split(", ");
const REFUSALS = WRITTEN.map((refusal) => refusal.split(": ").map(stemsOf));
const CONDITION_WORDS: ReadonlySet<string> = new Set(CONDITIONS.flatMap(stemsOf));
const JOINED = JOINED_CONDITIONS.flatMap(stemsOf);
/** Romance languages say `si` and `se` for "if", and with an auxiliary for what happened: `se ha excedido`, `si è superato`. Italian `se ha superato` is a condition. */
const HAPPENED = /\b(?:se (?:le )?han? (?=\w{2,20}[ai]d[oa]s?\b)|si (?:e|sono) )/g;
/** A longer sentence is a term of use. */
const MAX_LENGTH = 200;

/**
 * Whether a sentence, folded as `plainSentence` has it and without names of domains, refuses the asker in another language than
 * English: a limit that was passed, too many questions, access denied, a wish to come back later.
 */
export function refusesAbroad(plain: string): boolean {
  if (plain.length > MAX_LENGTH || !REFUSALS.some((refusal) => refusal.every(isIn(plain)))) return false;
  const words = plain.replace(HAPPENED, "").split(/[^\p{L}\p{N}]/u);
  return !words.some((word) => CONDITION_WORDS.has(word)) && !JOINED.some((one) => plain.includes(one));
}

const isIn =
  (plain: string) =>
  (stems: readonly string[]): boolean =>
    stems.some((stem) => plain.includes(stem));
