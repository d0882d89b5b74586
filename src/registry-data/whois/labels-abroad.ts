import { type Field, tableOf } from "./fields.ts";
import { plainLabel } from "./plain-label.ts";

/** Labels in other languages than English, as they are written; each means the same under every heading. */
const WRITTEN: Readonly<Partial<Record<Field, readonly string[]>>> = {
  domain: [
    "domínio, nome do domínio, nome a dominio, dominio, nom du domaine, domaine",
    "domäne, domainname, domeinnaam, domännamn, domænenavn, domenenavn, verkkotunnus, domeeninimi, domēns",
    "domena, nazwa domeny, doména, doménové jméno, názov domény, naziv domena, naziv domene, ime domene, domeniu, nume domeniu",
    "alan adı, nama domain, tên miền, όνομα χώρου",
    "домен, доменное имя, имя домена, доменне ім'я, ім'я домену, име на домейн",
    "域名, 域名名称, 網域名稱, 網域, ドメイン名, ドメイン, 도메인, 도메인이름, 도메인 이름",
  ],
  registrar: [
    "entidad registradora, entidade registradora, entidade gestora, registrador, agente registrador",
    "bureau d'enregistrement, registraire, registreur, registrierungsstelle",
    "rejestrator, registrátor, registrator, registruj, registrēšanas iestāde, registripidaja",
    "kayıt kuruluşu, kayıt operatörü, nhà đăng ký, καταχωρητής",
    "регистратор, реєстратор",
    "注册商, 注册服务机构, 所属注册服务机构, 註冊商, 受理註冊機構, 登録業者, レジストラ, 指定事業者名, 등록대행자, 등록대행업체, 등록기관",
  ],
  created: [
    "creado, creado el, fecha creación, fecha de inscripción, criado, criado em, registado em, registrado em, data de ativação",
    "créé le, créé, date d'enregistrement, enregistré le, date de dépôt, date d'activation",
    "erstellt, erstellt am, erstellungsdatum, registriert, registriert am, registrierungsdatum, registrierdatum, anmeldedatum, angelegt am",
    "data di creazione, creato il, creato, data di registrazione, registrato il, data creazione, data registrazione",
    "registratiedatum, geregistreerd op, aangemaakt, datum van registratie, skapad, registrerad, registreringsdatum, oprettet, opprettet, registreret, registrert, rekisteröity, luotu, registreeritud, reģistrēts",
    "utworzono, utworzona, data utworzenia, data rejestracji, zarejestrowano, vytvořeno, datum vytvoření, datum registrace, registrováno, vytvorené, dátum registrácie, datum registracije, datum kreiranja, registriran, létrehozva, regisztrálva, regisztráció dátuma, data înregistrării, înregistrat la, creat la",
    "oluşturulma tarihi, kayıt tarihi, tanggal dibuat, tanggal pendaftaran, ngày đăng ký, ngày tạo, ημερομηνία καταχώρησης",
    "создан, создано, зарегистрирован, дата создания, дата регистрации, створено, зареєстровано, дата створення, дата реєстрації, дата на регистрация, създаден",
    "注册时间, 注册日期, 创建时间, 创建日期, 註冊時間, 註冊日期, 建立日期, 登録年月日, 登録日, 作成日, 登録日時, 등록일, 등록일자, 생성일, 최초 등록일",
  ],
  expires: [
    "expira, expira el, expira em, caduca, caduca el, vence, vence el, vencimiento, vencimento, caducidad, fecha de caducidad, fecha expiración, fecha vencimiento, válido hasta, válido até, data de vencimento, data de validade",
    "expire le, date d'échéance, échéance, valable jusqu'au, date de fin de validité",
    "ablaufdatum, läuft ab, läuft ab am, gültig bis, abgelaufen am, verfallsdatum",
    "data di scadenza, scadenza, scade il, scade, data scadenza, valido fino al",
    "vervaldatum, verloopt op, vervalt op, geldig tot, einddatum, utgår, giltig till, utgångsdatum, förfaller, udløber, udløbsdato, utløper, vanhenee, päättyy, voimassa asti, aegub, derīgs līdz",
    "data wygaśnięcia, data ważności, wygasa, koniec okresu rozliczeniowego, ważna do, expirace, datum expirace, platnost do, platná do, vyprší, datum vypršení, platnosť do, dátum expirácie, datum isteka, ističe, vrijedi do, lejárat, lejárat dátuma, érvényes, data expirării, expiră la, expiră",
    "bitiş tarihi, son kullanma tarihi, geçerlilik tarihi, tanggal kedaluwarsa, berlaku hingga, ngày hết hạn, ημερομηνία λήξης",
    "истекает, дата окончания, дата истечения, окончание регистрации, оплачен до, действует до, дата окончания регистрации, дата закінчення, закінчується, сплачено до, діє до, дата на изтичане, изтича",
    "到期时间, 到期日期, 过期时间, 过期日期, 有效期至, 到期日, 到期時間, 有効期限, 有効期限日, 失効日, 사용 종료일, 만료일, 만료일자, 유효기간",
  ],
  updated: [
    "actualizado, actualizado el, fecha actualización, fecha de última actualización, fecha de última modificación, última actualización, modificado, modificado el, último cambio, atualizado em, alterado, alterado em, modificado em, data de atualização, última atualização, data de alteração, última alteração, data de modificação",
    "modifié le, mis à jour le, mise à jour, date de mise à jour, dernière mise à jour, date de dernière modification",
    "geändert, geändert am, letzte änderung, aktualisiert am, änderungsdatum, aktualisiert, letzte aktualisierung, zuletzt geändert",
    "ultimo aggiornamento, aggiornato il, ultima modifica, modificato il, data ultima modifica, data di modifica",
    "laatst gewijzigd, gewijzigd op, laatste wijziging, ändrad, senast ändrad, ændret, sidst ændret, endret, sist endret, muokattu, muutettu, muudetud, mainīts",
    "ostatnia modyfikacja, zmodyfikowano, zaktualizowano, data modyfikacji, ostatnia zmiana, změněno, poslední změna, datum změny, zmenené, posledná zmena, posljednja izmjena, poslednja izmena, módosítva, utolsó módosítás, ultima actualizare, ultima modificare, modificat la",
    "güncelleme tarihi, son güncelleme, güncellenme tarihi, son değişiklik, tanggal diubah, terakhir diperbarui, ngày cập nhật",
    "изменен, обновлен, дата изменения, дата обновления, последнее изменение, последнее обновление, змінено, оновлено, дата зміни, дата оновлення, последна промяна",
    "更新时间, 更新日期, 最后更新, 最后修改, 修改时间, 更新時間, 最後更新, 最終更新, 更新日, 最終更新日, 변경일, 수정일, 최근 정보 변경일",
  ],
  nameServer: [
    "servidor de nombres, servidores de nombres, servidor de nombre, servidores dns, servidor de nomes, servidores de nomes, servidor de nome, servidores de nome",
    "serveur dns, serveurs dns, serveur de nom, serveurs de nom, namensserver, nameserver, nameservereintrag",
    "server dns, server dei nomi, naamserver, naamservers, namnserver, namnservrar, navneserver, navneservere, navnetjener, nimipalvelin, nimipalvelimet, nimeserver, vārdu serveris",
    "serwer nazw, serwery nazw, serwer dns, serwery dns, jmenný server, jmenné servery, menný server, dns poslužitelj, dns serveri, névszerver, névkiszolgáló, server de nume, servere de nume",
    "alan adı sunucusu, alan adı sunucuları, ad sunucusu, ad sunucuları, isim sunucusu, isim sunucuları, server nama, máy chủ dns, máy chủ tên miền, διακομιστής ονομάτων",
    "сервер имен, серверы имен, днс-сервер, dns-сервер, dns-серверы, сервер імен, сервери імен, dns-сервери",
    "域名服务器, dns服务器, 名称服务器, 名稱伺服器, 域名伺服器, dns伺服器, ネームサーバ, ネームサーバー, 네임서버, 네임 서버",
  ],
};

const listOf = (lines: readonly string[] | undefined): readonly string[] =>
  (lines ?? []).flatMap((line) => line.split(", ")).map(plainLabel);

/** The same by the labels as `plainLabel` has them. */
export const ABROAD: ReadonlyMap<string, Field> = tableOf({
  domain: listOf(WRITTEN.domain),
  registrar: listOf(WRITTEN.registrar),
  created: listOf(WRITTEN.created),
  expires: listOf(WRITTEN.expires),
  updated: listOf(WRITTEN.updated),
  nameServer: listOf(WRITTEN.nameServer),
});
