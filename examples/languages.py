"""Which language a text is in, by the bits of its characters; and which characters spoke."""

import likely

SENTENCES = {
    "English": [
        "where is the station and when does the train leave",
        "i would like a cup of tea with milk and two slices of bread",
        "the weather will be fine at the weekend so we can go swimming",
        "what time do you close this evening and are you open tomorrow",
    ],
    "German": [
        "wo ist der bahnhof und wann fährt der zug",
        "ich hätte gern eine tasse tee mit milch und zwei scheiben brot",
        "das wetter wird am wochenende schön, wir können schwimmen gehen",
        "wann schließen sie heute abend und haben sie morgen geöffnet",
    ],
    "French": [
        "où est la gare et quand part le train",
        "je voudrais une tasse de thé avec du lait et deux tranches de pain",
        "il fera beau pendant le week-end et nous pourrons nager",
        "à quelle heure fermez-vous ce soir et êtes-vous ouverts demain",
    ],
    "Italian": [
        "dov'è la stazione e quando parte il treno",
        "vorrei una tazza di tè con latte e due fette di pane",
        "il tempo sarà bello nel fine settimana e potremo nuotare",
        "a che ora chiudete stasera e siete aperti domani",
    ],
}
pairs = [(text, language) for language, texts in SENTENCES.items() for text in texts]
table = {"text": [text for text, _ in pairs], "language": [language for _, language in pairs]}
model = likely.CompressionClassifier().fit(table, "language")

new = {"text": ["can we swim at the weekend", "können wir morgen schwimmen", "pouvons-nous nager demain"]}
new["text"].append("possiamo nuotare domani")
for text, answer, bits in zip(new["text"], model.predict(new), model.code_lengths(new), strict=True):
    said = ", ".join(f"{name} {b:.0f}" for name, b in zip(model.classes_, bits, strict=True))
    print(f"{text!r} is {answer}: {said} bits")

print()
print(model.explain(new, "German", "English")[1])
