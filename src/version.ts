/** The service's version, as the banner, health and `repute --version` say it (interface 9). */
export const VERSION = "0.3.0";
