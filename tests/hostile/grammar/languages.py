"""Files as people of many countries write them."""

import numpy as np

from tests.hostile.grammar.exported import GUESS, GUESS3, IDS, SURE3, WHICH, A, B, C, Export, P, Q, Y, pair_of

SICK, KRANK, SAIN, SANO = (
    pair_of("well", "ill"),
    pair_of("gesund", "krank"),
    pair_of("sain", "malade"),
    pair_of("sano", "enfermo"),
)
LANGUAGES = {
    "German": Export(
        {"Fall": IDS, "Wahrheit": KRANK[Y], "Vorhersage": KRANK[GUESS], "P(gesund)": Q, "P(krank)": P},
        tuple(KRANK),
        separator=";",
    ),
    "German, one": Export(
        {"Fallnr": IDS, "Befund": KRANK[Y], "Wahrscheinlichkeit krank": P}, tuple(KRANK), separator=";"
    ),
    "German, numbers": Export(
        {"Patient": IDS, "Wahrscheinlichkeit": P, "Ergebnis": Y}, ("0", "1"), separator=";"
    ),
    "French": Export(
        {
            "identifiant": IDS,
            "vérité terrain": SAIN[Y],
            "prédiction": SAIN[GUESS],
            "proba_sain": Q,
            "proba_malade": P,
        },
        tuple(SAIN),
    ),
    "French, one": Export({"risque": P, "décès": Y}, ("0", "1")),
    "Spanish": Export(
        {"caso": IDS, "real": SANO[Y], "predicho": SANO[GUESS], "prob_sano": Q, "prob_enfermo": P},
        tuple(SANO),
    ),
    "Spanish, numbers": Export(
        {"caso": IDS, "clase real": Y, "clase predicha": GUESS, "probabilidad": P}, ("0", "1")
    ),
    "Chinese": Export(
        {
            "编号": IDS,
            "真实标签": pair_of("阴性", "阳性")[Y],
            "预测标签": pair_of("阴性", "阳性")[GUESS],
            "概率_阴性": Q,
            "概率_阳性": P,
        },
        ("阴性", "阳性"),
    ),
    "Chinese, numbers": Export({"编号": IDS, "真实标签": Y, "预测概率": P, "预测标签": GUESS}, ("0", "1")),
    "Chinese of three": Export(
        {
            "真实类别": WHICH,
            "预测类别": GUESS3,
            "置信度": SURE3,
            "类别0概率": A,
            "类别1概率": B,
            "类别2概率": C,
        },
        ("0", "1", "2"),
    ),
    "Japanese": Export(
        {
            "正解": np.array(["犬", "猫", "鳥"])[WHICH],
            "予測": np.array(["犬", "猫", "鳥"])[GUESS3],
            "確率_犬": A,
            "確率_猫": B,
            "確率_鳥": C,
        },
        ("犬", "猫", "鳥"),
    ),
    "Russian": Export(
        {
            "истина": pair_of("нет", "да")[Y],
            "прогноз": pair_of("нет", "да")[GUESS],
            "вероятность_нет": Q,
            "вероятность_да": P,
        },
        ("нет", "да"),
    ),
    "Portuguese": Export(
        {
            "rótulo": pair_of("não", "sim")[Y],
            "previsto": pair_of("não", "sim")[GUESS],
            "probabilidade_não": Q,
            "probabilidade_sim": P,
        },
        ("não", "sim"),
    ),
    "Italian": Export(
        {
            "vero": pair_of("sano", "malato")[Y],
            "predetto": pair_of("sano", "malato")[GUESS],
            "probabilità malato": P,
        },
        ("sano", "malato"),
    ),
    "Dutch": Export(
        {
            "werkelijk": pair_of("nee", "ja")[Y],
            "voorspeld": pair_of("nee", "ja")[GUESS],
            "kans_nee": Q,
            "kans_ja": P,
        },
        ("nee", "ja"),
    ),
    "Polish": Export({"klasa": pair_of("nie", "tak")[Y], "prawdopodobieństwo": P}, ("nie", "tak")),
    "Swedish": Export(
        {"facit": pair_of("frisk", "sjuk")[Y], "sannolikhet_frisk": Q, "sannolikhet_sjuk": P},
        ("frisk", "sjuk"),
    ),
}
