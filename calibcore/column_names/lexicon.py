"""Words that say what a column is, and which of two classes is looked for: in small letters, without accents.

English as tools write it, and the languages in which spreadsheets and statistics packages export.
"""


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


PROBABILITY = words_of("""
    p pr prob probs proba probas probability probabilities phat softmax posterior likelihood
    wahrscheinlichkeit wahrscheinlichkeiten wahrsch wkt wkeit probabilite probabilites probabilidad
    probabilidades probabilita prawdopodobienstwo sannolikhet sandsynlighed sannsynlighet kans kansen
    veroyatnost вероятность olasilik 概率 機率 几率 确率 確率 확률
""")
"""A column of it holds probabilities; before or after the name of a class, those of the class."""
WEAK = words_of("""
    score scores output outputs confidence confidences conf konfidenz confiance confianza confidenza
    confianca certainty risk risiko risque riesgo rischio risico forecast forecasts est estimate
    estimated fitted fittedvalues class klasse classe clase distribution 风险 リスク
""")
"""Words that also say so beside the name of a class; alone they may be something else."""
PREDICTED = words_of("""
    pred preds predict predicts predicted prediction predictions predictor yhat guess guesses argmax
    top1 hard decision decided assigned vorhersage vorhersagen vorhergesagt vorhergesagte prognose
    prognosen prediktion predit predite predits prevision previsions prevu predicho predichos prediccion
    predicha predichas
    predicciones predicao predicoes pronostico predetto predetta previsto prevista previsao predito predita
    voorspelling voorspeld przewidywanie predykcja predikce tahmin предсказание прогноз 预测 預測 予測 예측
    scored
""")
"""What a model said: a class, or before the name of a class its probability."""
CONFIDENCE = words_of("""
    confidence confidences conf certainty sicherheit konfidenz vertrauen confiance certitude confianza
    certeza confidenza fiducia confianca zekerheid betrouwbaarheid fiabilite sureness 置信度 信頼度
    신뢰도
""")
"""How sure the model is of its answer, whichever class that is."""
WHOSE = words_of("""
    model models self own reported stated verbal verbalised verbalized elicited judge llm lm system ai overall
    answer answers response responses output choice reply final token tokens seq sequence first
""")
"""Whose or which confidence it is, beside a word for one: no class, unless others stand there so."""
HIGHEST = words_of("""
    max maximum maxprob maxproba maxp top top1 highest hoechste hochste largest best winner winning
""")
SUREST = words_of("pcp maxprob maxproba maxp pmax")
"""The probability of whichever class is the likeliest."""
TRUTH = words_of("""
    true truth groundtruth gt actual actuals gold golden observed obs reference ref real reel reelle
    verdad verdadera verdadero verdadeiro verite vrai vraie wahr wahre wahrer wahrheit tatsachlich
    tatsachliche tatsaechlich tatsaechliche beobachtet beobachtete istwert echt echte waar waarheid
    werkelijk vero verita reale observe observado observada osservato prawda prawdziwa skutecna gercek
    realitat realite realidad beobachtung prawdziwa referenz goldstandard referenzstandard
    referenzdiagnose istklasse correctlabel todellinen faktisk sann sand истина факт 真实 真值 真實
    實際 实际 正解 실제 정답
""")
"""What happened, whatever else stands in the name."""
LABEL = words_of("""
    label labels lbl y ylabel labely expected erwartet attendu annotation annotations annotated svar
    onehot target targets tgt class classes outcome outcomes category categories klasse klassen
    zielklasse ziel zielvariable zielgrosse ergebnis etikett kategorie classe clase clases etiqueta
    etiquetas etiquette etiquettes cible objetivo resultado resultat risultato etichetta bersaglio
    categoria categorie kategoria klasa etykieta doel uitkomst sinif etiket endpoint dependent
    response facit метка класс цель 标签 標籤 类别 類別 目标 結果 结果 ラベル クラス 레이블 ytest ytrain
""")
"""What happened, unless another word says that a model said it."""
ONE_OF_MANY = words_of(
    "model modell modele modelo modello run config classifier classificateur klassifikator flag"
)
"""Words of :data:`OTHER` that say nothing where more stands in the name: which model, "default_flag"."""
UNITS = words_of("h hr hrs d day days w wk wks week weeks m mo mos mth month months y yr yrs year years")
"""Behind a number: how long after."""
COUNTED = words_of(
    "n num number count anzahl nombre numero numbers amount cnt second third zweite zweiter 数 数量 件数"
)
"""Before another word: how many of it, or not the first of it."""
RIGHT = words_of("correct richtig richtige korrekt korrekte correcte correcta corretta right")
"""Beside a word for labels: the truth; alone, whether a prediction was right."""
RATER = words_of("""
    rater raters rater1 rater2 reader reader1 reader2 annotator annotators doctor nurse physician
    radiologist pathologist expert opinion arzt arztin gutachter zweitbefund medecin lecteur
    lecteurs avis medico lector revisor observer
""")
"""Who said what stands there: beside a word for labels, the truth."""
OTHER = RATER | words_of("""
    id ids idx index uid uuid guid key rowid rownames row rows caseid patient patientid subject
    image img file filename filepath path name fallnummer fall zeile nummer kennung identifiant
    identificador codigo fold folds falte cv cvfold split splits set partition partitions resample
    resampleindex rowindex repeat rep seed epoch batch iteration iter step run model modell modele
    modelo config site centre center standort hospital cluster group gruppe groupe grupo date datum
    fecha time zeit hora timestamp year jahr annee ano month day age alter edad eta leeftijd sex gender
    geschlecht sexe sexo height weight weights gewicht poids peso bmi dose entropy entropie entropia
    margin marge margen uncertainty unsicherheit incertitude incertidumbre variance varianz var std sd
    sigma se sem stderr brier loss losses nll logloss error errors fehler erreur residual residuals
    correct richtig incorrect hits match matches agree threshold cutoff schwelle temperature duration
    length count counts anzahl total sum rank note notes comment comments bemerkung kommentar flag
    warn warning warnung missing source quelle version
    similarity distance hazard correlation percentile
    latency runtime elapsed seconds secs ms milliseconds cost costs usd eur price
    lower upper ci min mean median kappa auc 编号 序号 备注 日期 年龄 性别 熵 置信区间
""")
"""Columns that stand beside predictions."""
QUANTITIES = words_of("""
    seconds secs minutes hours ms millis milliseconds latency elapsed runtime walltime duration time age
    height weight bmi temperature dose length tokens words chars characters cost price usd eur dollars euros
    income salary amount count counts sekunden minuten stunden dauer zeit alter kosten preis secondes duree
    cout prix segundos minutos horas duracion costo precio secondi durata costo prezzo
""")
"""What is measured or counted in units of its own, and is no probability even where it lies below 100."""
UNCERTAINTY = words_of("""
    entropy entropie entropia uncertainty uncertainties unsicherheit incertitude incertidumbre incertezza
    aleatoric epistemic bald surprisal perplexity variance varianz variancia varianza std stdev stddev logloss
    nll brier ece
""")
"""How unsure a model was, or how far off it was: the higher the worse."""
UNCERTAIN_PAIRS = frozenset([("mutual", "information"), ("standard", "deviation"), ("log", "loss")])
"""The same of two words."""
UNCERTAIN_ALONE = words_of("energy energie energia loss losses verlust perte perdida perdita")
"""The same where nothing stands beside them: else "loss" may be a class, as "win" is."""
OF_LOSSES = words_of("score value sample free test val valid validation train eval mean ce bce cross entropy")
"""Words beside those."""
_CASE_IDS = words_of("""
    id ids idx index uid uuid guid key identifier identifiant identificador codigo kennung nummer
    row rows rowid rowindex zeile record records sample samples sampleid case cases caseid fall fallnummer
    patient patients patientid pid mrn accession encounter subject subjects sid participant respondent
    customer customerid client user userid account rid item items question qid image images img
    file filename filepath
""")
CASE = _CASE_IDS | words_of("person doc document lesion nodule path")
"""Which case a row is about: names of cases, and what may be a class, too."""
NUMBERING = _CASE_IDS | words_of("code no nr num number order study visit unnamed zip")
"""Whole numbers called so are no scores: they number cases, or what many cases share."""
PLACE = words_of("idx index row rowid rowindex zeile")
"""Of these, words that may only count rows."""
VARIANT = words_of("""
    model models modell modele modelo variant version classifier clf estimator learner method algorithm algo
    system architecture arch backbone network net config configuration setting run runs seed seeds repeat
    repeats rep replicate resample epoch epochs checkpoint ckpt iteration iter step fold folds member
    ensemble augmentation aug tta view prompt llm engine
""")
"""Which of several models, runs or looks a row is from."""
GATHERED = words_of("""
    site sites centre center hospital clinic station ward unit group class label category batch country region
    device scanner cohort dataset source split set standort gruppe klasse
""")
"""What many cases have in common."""
NAMING_LABELS = words_of("""
    finding findings label labels pathology disease diagnosis abnormality symptom tag attribute outcome
    endpoint
""")
"""Which of several labels of a case a row is about."""
CODES = words_of("id ids idx index ix num number nr no int code codes encoded enc")
"""Behind a word for labels: that they are written as numbers."""
LOGIT = words_of("""
    logit logits logodds xb lp linpred linear linearpredictor rawscore rawscores rawoutput rawoutputs
    decisionfunction decisionvalue decisionvalues decisionscore decisionscores rawprediction rawpredictions
""")
LOG = words_of("log ln")
LOG_PROBABILITY = words_of("logp logprob logprobs logproba logprobability loglik loglikelihood")
PERCENT = words_of("""
    percent percentage percents pct perc prozent prozentual pourcent pourcentage porcentaje porcento
    percentuale percentual procent procenten yuzde процент 百分比 百分率
""")
WRITTEN = {
    **dict.fromkeys(("_LEVEL_", "_TYPE_", "_NAME_", "POSITIVE_CLASS", "THRESHOLD"), "other"),
    **dict.fromkeys(("_INTO_", *(f"{x}_{i}" for i in range(1, 10) for x in ("PGR", "PRE"))), "predicted"),
    **dict.fromkeys(("answerKey", "answer_key", "AnswerKey"), "label"),
    "label_ids": "label",
    "label_value": "label",
}
"""Names that SAS, SPSS, DataRobot, Transformers, Aequitas and ARC give columns, and what these hold."""
CONNECTING = words_of("of for the being that fur fuer von der des du de la le den da do till av")
"""Between a word and the name of a class."""
POSITIVE = words_of("""
    1 true yes y t positive pos + case cases event present ja wahr j oui o vrai si verdadero vero sim
    tak evet ano igen kylla jah taip tiesa да так ναι 是 真 有 positiv positif positivo positiva
    positief pozytywny dodatni 阳性 陽性 はい 有り 예 ill sick sjuk diseased disease krank erkrankt
    malade enfermo enferma malato ziek doente malignant maligne maligno malign bosartig boesartig
    cancer abnormal auffallig pathological dead death died deceased tot verstorben gestorben mort
    muerto fraud fraudulent betrug spam churn churned default defaulted success responder relapse
    recurrence infected affected faulty defect defective failure failed attack anomaly toxic tumor
    tumour tumeur krebs deces decede mortality readmitted
""")
"""Of two classes the one that is looked for, if the other one is its opposite."""
NEGATIVE = words_of("""
    0 -1 false no n f negative neg - control controls none absent nonevent noevent nein falsch non faux
    falso nao nie nee nej nei ei ikke ne nem hayir нет ні οχι 否 假 无 無 negativ negatif negativo
    negativa negatief negatywny ujemny 阴性 陰性 いいえ 無し 아니오 healthy well gesund sain saine
    sano sana gezond saudavel benign benigne benigno gutartig normal unauffallig alive survived
    survival frisk lebend lebt vivant vivo ham legit legitimate stay stayed retained uninfected
    unaffected nonresponder censored
""")
"""The other one."""
ANSWERS = words_of("""
    0 1 -1 true false yes no y n t f pos neg positive negative ja nein wahr falsch oui
    non vrai faux si verdadero falso vero sim nao tak nie nee nej nei ei nem igen ano ne evet hayir да нет
    так ні ναι οχι 是 否 真 假 有 无 無 positiv negativ positif negatif positivo negativo positiva negativa
    positief negatief dodatni ujemny 阳性 阴性 陽性 陰性 はい いいえ 예 아니오 - +
""")
"""Words that stand for 1 and 0 whatever was asked: of "benign", or "no event", nobody knows which it is."""
BOUNDS = words_of("lower upper low high lo hi lcl ucl lci uci lwr upr ci min max se sd std var")
"""Behind a word: how sure that number is."""
FREE = words_of("free frei libre")
"""Behind the name of a class: its opposite."""
NEGATING = words_of("not non no kein keine nicht pas sin sem geen ikke inte nie нет 非 无 不 no_")
"""Before the name of a class: its opposite."""
NO_VALUE = frozenset(("", "na", "n/a", "nan", "null", "none", "<na>", "#n/a", "."))
"""What is written, in small letters, where nothing is known."""
