/** The months from January on, in the words of one language; `=` parts what stands in a date from what stands alone. */
const NAMES: readonly string[] = [
  // Bulgarian
  "януари февруари март април май юни юли август септември октомври ноември декември",
  // Catalan
  "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
  // Croatian
  "siječnja=siječanj veljače=veljača ožujka=ožujak travnja=travanj svibnja=svibanj lipnja=lipanj srpnja=srpanj kolovoza=kolovoz rujna=rujan listopada=listopad studenoga=studeni prosinca=prosinac",
  // Czech
  "ledna=leden února=únor března=březen dubna=duben května=květen června=červen července=červenec srpna=srpen září října=říjen listopadu=listopad prosince=prosinec",
  // Danish, Norwegian, Swedish
  "januar=januari februar=februari mars=marts april maj=mai juni juli august=augusti september oktober november desember",
  // Dutch, Indonesian
  "januari februari maart=mrt=maret april mei juni juli augustus=agustus september oktober november desember",
  // Estonian
  "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
  // Finnish
  "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
  // French
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  // German
  "januar=jänner februar=feber märz=maerz april mai juni juli august september oktober november dezember",
  // Greek
  "ιανουαρίου=ιανουάριος φεβρουαρίου=φεβρουάριος μαρτίου=μάρτιος απριλίου=απρίλιος μαΐου=μάιος ιουνίου=ιούνιος ιουλίου=ιούλιος αυγούστου=αύγουστος σεπτεμβρίου=σεπτέμβριος οκτωβρίου=οκτώβριος νοεμβρίου=νοέμβριος δεκεμβρίου=δεκέμβριος",
  // Hungarian
  "január február március április május június július augusztus szeptember október november december",
  // Italian
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  // Polish
  "stycznia=styczeń lutego=luty marca=marzec kwietnia=kwiecień maja=maj czerwca=czerwiec lipca=lipiec sierpnia=sierpień września=wrzesień października=październik listopada=listopad grudnia=grudzień",
  // Portuguese
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  // Romanian
  "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
  // Russian
  "января=январь февраля=февраль марта=март апреля=апрель мая=май июня=июнь июля=июль августа=август сентября=сентябрь октября=октябрь ноября=ноябрь декабря=декабрь",
  // Slovak
  "januára=január februára=február marca=marec apríla=apríl mája=máj júna=jún júla=júl augusta=august septembra=september októbra=október novembra=november decembra=december",
  // Slovenian, Serbian
  "januar februar marec=mart april maj junij=jun julij=jul avgust september=septembar oktober=oktobar november=novembar december=decembar",
  // Spanish
  "enero febrero marzo abril mayo junio julio agosto septiembre=setiembre octubre noviembre diciembre",
  // Turkish
  "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
  // Ukrainian
  "січня=січень лютого=лютий березня=березень квітня=квітень травня=травень червня=червень липня=липень серпня=серпень вересня=вересень жовтня=жовтень листопада=листопад грудня=грудень",
];
const ENGLISH = "january february march april may june july august september october november december".split(
  " ",
);

/** A month's first letters, as registries cut them; fewer are no word of their own. */
const MIN_LETTERS = 3;

/** In lower case, without accents, full-width digits made plain; Hangul stays in syllables, the dotless i gets its dot. */
export const foldedDate = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ºª°]/g, "")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .replaceAll("ı", "i");

const MONTHS: ReadonlyMap<string, number> = readMonths();

/**
 * 1 to 12 for a month's name as `foldedDate` gives it, in any of the languages above, or for its first letters, three or more;
 * English goes first. 0: no month, or one of another number in two languages (`listopad`).
 */
export function monthNamed(word: string): number {
  if (word.length < MIN_LETTERS) return 0;
  const english = ENGLISH.findIndex((name) => name.startsWith(word === "sept" ? "sep" : word));
  return english >= 0 ? english + 1 : (MONTHS.get(word) ?? 0);
}

function readMonths(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const language of NAMES) {
    for (const [i, forms] of foldedDate(language).split(" ").entries()) {
      for (const name of forms.split("=")) {
        for (let end = MIN_LETTERS; end <= name.length; end++) {
          const start = name.slice(0, end);
          months.set(start, (months.get(start) ?? i + 1) === i + 1 ? i + 1 : 0);
        }
      }
    }
  }
  return months;
}
