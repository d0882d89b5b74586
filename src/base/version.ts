/** The service's version, as the banner, health and `repute --version` say it (interface 9). */
export const VERSION = "0.3.0";

/** Where publishers who see our requests read what we are. */
export const PROJECT_URL = "https://www.npmjs.com/package/repute";
